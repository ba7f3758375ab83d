/* Generates small JPEG files with libjpeg, with any sampling, coding and color space that it writes.

   cc -O2 -o generate generate.c -ljpeg

   Reads lines PATH WIDTH HEIGHT SPACE FACTORS QUALITY CODING RESTART SEED from standard input: SPACE is gray, two, ycc,
   rgb, cmyk or ycck; FACTORS are the sampling factors of the components, such as 22111111; CODING is baseline,
   optimized, progressive, arithmetic or arithmetic-progressive; RESTART is the interval in MCUs. */

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>

struct errors { struct jpeg_error_mgr base; jmp_buf exit; };

static void on_error(j_common_ptr info) { longjmp(((struct errors *)info->err)->exit, 1); }

static unsigned long long state;

static unsigned next(void)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33);
}

static int generate(const char *path, int width, int height, const char *space, const char *factors, int quality,
                    const char *coding, int restart)
{
    struct jpeg_compress_struct info;
    struct errors errors;
    info.err = jpeg_std_error(&errors.base);
    errors.base.error_exit = on_error;
    FILE *file = fopen(path, "wb");
    if (!file) return 0;
    if (setjmp(errors.exit)) {
        jpeg_destroy_compress(&info);
        fclose(file);
        remove(path);
        return 0;
    }
    jpeg_create_compress(&info);
    jpeg_stdio_dest(&info, file);
    info.image_width = width;
    info.image_height = height;
    int is_gray = !strcmp(space, "gray"), is_two = !strcmp(space, "two"), is_ink = strchr(space, 'k') != NULL;
    info.input_components = is_gray ? 1 : is_two ? 2 : is_ink ? 4 : 3;
    info.in_color_space = is_gray ? JCS_GRAYSCALE : is_two ? JCS_UNKNOWN : is_ink ? JCS_CMYK : JCS_RGB;
    jpeg_set_defaults(&info);
    if (!strcmp(space, "rgb")) jpeg_set_colorspace(&info, JCS_RGB);
    if (!strcmp(space, "ycck")) jpeg_set_colorspace(&info, JCS_YCCK);
    for (int c = 0; c < info.num_components && factors[2 * c] && factors[2 * c + 1]; c++) {
        info.comp_info[c].h_samp_factor = factors[2 * c] - '0';
        info.comp_info[c].v_samp_factor = factors[2 * c + 1] - '0';
    }
    jpeg_set_quality(&info, quality, next() % 2);
    info.restart_interval = restart;
    info.optimize_coding = !strcmp(coding, "optimized");
    info.arith_code = !strncmp(coding, "arithmetic", 10);
    if (strstr(coding, "progressive")) jpeg_simple_progression(&info);
    jpeg_start_compress(&info, TRUE);
    /* Gradients, an edge, and a share of noise. */
    unsigned char *row = malloc((size_t)width * info.input_components);
    int noise = next() % 4 ? next() % 40 : 256, phase = next() % 64, edge = next() % (width + 1);
    while (info.next_scanline < info.image_height) {
        for (int x = 0; x < width; x++)
            for (int c = 0; c < info.input_components; c++) {
                int value = (x * (3 + c) + (int)info.next_scanline * (5 - c) + phase) / 2 + (x > edge ? 60 : 0);
                value = value % 256 + (noise ? (int)(next() % noise) - noise / 2 : 0);
                row[x * info.input_components + c] = value < 0 ? 0 : value > 255 ? 255 : value;
            }
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    free(row);
    fclose(file);
    return 1;
}

int main(void)
{
    char path[4096], space[16], factors[16], coding[32];
    int width, height, quality, restart;
    unsigned seed;
    while (scanf("%4095s %d %d %15s %15s %d %31s %d %u", path, &width, &height, space, factors, &quality, coding, &restart,
                 &seed) == 9) {
        state = seed;
        printf("%d\n", generate(path, width, height, space, factors, quality, coding, restart));
        fflush(stdout);
    }
    return 0;
}
