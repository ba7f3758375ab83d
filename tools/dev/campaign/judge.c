/* Judges rewritten JPEG files with libjpeg; shares no code with Upright.

   cc -O2 -o judge judge.c -ljpeg -lm

   Reads lines ORIGINAL <tab> RESULT <tab> TRANSFORM from standard input and prints a JSON object for each: the warnings
   of libjpeg for both files, for each component whether every quantized coefficient and every quantization table entry
   of the result is the one of the original that the transform puts there, and the difference of the images as djpeg
   decodes them (PSNR in dB of red, green and blue, -1 if identical; largest error; neither if a block has samples that no
   image has, because libjpeg's arithmetic wraps around then). A result that was trimmed is compared with the part of the
   original that it has. */

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>

enum { max_messages = 16, max_pixels = 1 << 24 };
/* The norm of a block of samples from -128 to 127 is at most 1024. */
static const double max_norm = 2048;

struct errors {
    struct jpeg_error_mgr base;
    jmp_buf exit;
    int messages[max_messages];
    int count;
};

static void on_error(j_common_ptr info) { longjmp(((struct errors *)info->err)->exit, 1); }

static void on_message(j_common_ptr info, int level)
{
    struct errors *errors = (struct errors *)info->err;
    if (level >= 0) return;
    info->err->num_warnings++;
    for (int i = 0; i < errors->count; i++)
        if (errors->messages[i] == info->err->msg_code) return;
    if (errors->count < max_messages) errors->messages[errors->count++] = info->err->msg_code;
}

/* A transform of the raster: transposed first, then mirrored in the result's axes. */
struct transform { int transposes, mirrors_x, mirrors_y; };

static int transform_named(const char *name, struct transform *transform)
{
    static const struct { const char *name; struct transform transform; } all[] = {
        {"none", {0, 0, 0}}, {"flip-horizontal", {0, 1, 0}}, {"rotate-180", {0, 1, 1}}, {"flip-vertical", {0, 0, 1}},
        {"transpose", {1, 0, 0}}, {"rotate-90", {1, 1, 0}}, {"transverse", {1, 1, 1}}, {"rotate-270", {1, 0, 1}},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i].name, name)) { *transform = all[i].transform; return 1; }
    return 0;
}

struct file {
    FILE *stream;
    struct jpeg_decompress_struct info;
    struct errors errors;
    jvirt_barray_ptr *coefficients;
    unsigned char *pixels;
    int width, height, channels;
    char error[JMSG_LENGTH_MAX];
};

static int opened(struct file *file, const char *path)
{
    memset(file, 0, sizeof *file);
    file->stream = fopen(path, "rb");
    return file->stream != NULL;
}

/* Begins to read; the messages of several times are kept. */
static void start(struct file *file)
{
    file->info.err = jpeg_std_error(&file->errors.base);
    file->errors.base.error_exit = on_error;
    file->errors.base.emit_message = on_message;
    jpeg_create_decompress(&file->info);
    rewind(file->stream);
    jpeg_stdio_src(&file->info, file->stream);
}

static int failed(struct file *file)
{
    file->errors.base.format_message((j_common_ptr)&file->info, file->error);
    return 0;
}

static int read_coefficients(struct file *file)
{
    start(file);
    if (setjmp(file->errors.exit)) return failed(file);
    jpeg_read_header(&file->info, TRUE);
    if ((double)file->info.image_width * file->info.image_height > max_pixels) {
        strcpy(file->error, "too large");
        return 0;
    }
    file->coefficients = jpeg_read_coefficients(&file->info);
    /* Reads to EOI, for its warnings; the virtual arrays live until the object is destroyed. */
    while (!jpeg_input_complete(&file->info)) jpeg_consume_input(&file->info);
    return 1;
}

/* The image as djpeg decodes it: RGB, gray, or the raw components of what has no color conversion. */
static int read_pixels(struct file *file)
{
    start(file);
    if (setjmp(file->errors.exit)) return failed(file);
    jpeg_read_header(&file->info, TRUE);
    jpeg_start_decompress(&file->info);
    file->width = file->info.output_width;
    file->height = file->info.output_height;
    file->channels = file->info.output_components;
    size_t stride = (size_t)file->width * file->channels;
    file->pixels = malloc(stride * file->height + 1);
    while (file->info.output_scanline < file->info.output_height) {
        JSAMPROW row = file->pixels + stride * file->info.output_scanline;
        jpeg_read_scanlines(&file->info, &row, 1);
    }
    jpeg_finish_decompress(&file->info);
    if (file->info.out_color_space == JCS_CMYK) { /* djpeg's way: Adobe's inverted inks */
        for (size_t i = 0; i < (size_t)file->width * file->height; i++)
            for (int c = 0; c < 3; c++)
                file->pixels[3 * i + c] =
                    (unsigned char)(file->pixels[4 * i + c] * (double)file->pixels[4 * i + 3] / 255.0 + 0.5);
        file->channels = 3;
    }
    return 1;
}

static JBLOCKROW block_row(struct file *file, int component, int row)
{
    return file->info.mem->access_virt_barray((j_common_ptr)&file->info, file->coefficients[component], row, 1, FALSE)[0];
}

/* Whether all coefficients and steps of a component are those of the original. */
static int same_component(struct file *original, struct file *result, int index, const struct transform *transform)
{
    jpeg_component_info *before = &original->info.comp_info[index], *after = &result->info.comp_info[index];
    int columns = after->width_in_blocks, rows = after->height_in_blocks;
    int old_columns = transform->transposes ? rows : columns, old_rows = transform->transposes ? columns : rows;
    if (old_columns > (int)before->width_in_blocks || old_rows > (int)before->height_in_blocks) return 0;
    if (!before->quant_table != !after->quant_table) return 0;
    for (int k = 0; before->quant_table && k < 64; k++) {
        int old = transform->transposes ? k % 8 * 8 + k / 8 : k;
        if (before->quant_table->quantval[old] != after->quant_table->quantval[k]) return 0;
    }
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            int u = transform->mirrors_x ? columns - 1 - x : x, v = transform->mirrors_y ? rows - 1 - y : y;
            int column = transform->transposes ? v : u, row = transform->transposes ? u : v;
            short expected[64];
            memcpy(expected, block_row(original, index, row)[column], sizeof expected);
            short *actual = block_row(result, index, y)[x];
            for (int k = 0; k < 64; k++) {
                int value = expected[transform->transposes ? k % 8 * 8 + k / 8 : k];
                if (transform->mirrors_x && k % 2) value = -value;
                if (transform->mirrors_y && k / 8 % 2) value = -value;
                if (value != actual[k]) return 0;
            }
        }
    return 1;
}

/* Whether a block of the image has impossible samples. */
static int has_impossible_samples(struct file *file)
{
    for (int index = 0; index < file->info.num_components; index++) {
        jpeg_component_info *component = &file->info.comp_info[index];
        if (!component->quant_table) return 1;
        for (int y = 0; y < (int)component->height_in_blocks; y++)
            for (int x = 0; x < (int)component->width_in_blocks; x++) {
                short *block = block_row(file, index, y)[x];
                double sum = 0;
                for (int k = 0; k < 64; k++) {
                    double value = (double)block[k] * component->quant_table->quantval[k];
                    sum += value * value;
                }
                if (sum > max_norm * max_norm) return 1;
            }
    }
    return 0;
}

static int compare_pixels(struct file *a, struct file *b, const struct transform *transform, double *psnr, int *largest)
{
    if (a->channels != b->channels) return 0;
    int old_width = transform->transposes ? b->height : b->width, old_height = transform->transposes ? b->width : b->height;
    if (old_width > a->width || old_height > a->height) return 0;
    double sum = 0;
    *largest = 0;
    for (int y = 0; y < b->height; y++)
        for (int x = 0; x < b->width; x++) {
            int u = transform->mirrors_x ? b->width - 1 - x : x, v = transform->mirrors_y ? b->height - 1 - y : y;
            int column = transform->transposes ? v : u, row = transform->transposes ? u : v;
            unsigned char *p = a->pixels + ((size_t)row * a->width + column) * a->channels;
            unsigned char *q = b->pixels + ((size_t)y * b->width + x) * b->channels;
            for (int c = 0; c < a->channels; c++) {
                int error = abs(p[c] - q[c]);
                sum += (double)error * error;
                if (error > *largest) *largest = error;
            }
        }
    double mean = sum / ((double)b->width * b->height * b->channels);
    *psnr = mean > 0 ? 10 * log10(65025 / mean) : -1;
    return 1;
}

static void print_file(const char *name, struct file *file)
{
    printf("\"%s\":{\"warnings\":[", name);
    for (int i = 0; i < file->errors.count; i++)
        printf("%s\"%s\"", i ? "," : "", file->errors.base.jpeg_message_table[file->errors.messages[i]]);
    printf("],\"error\":");
    if (file->error[0]) {
        putchar('"');
        for (char *c = file->error; *c; c++)
            if (*c != '"' && *c != '\\' && *c >= ' ') putchar(*c);
        putchar('"');
    } else printf("null");
    printf("}");
}

static void judge(const char *old_path, const char *new_path, const char *name)
{
    struct transform transform;
    static struct file a, b;
    if (!transform_named(name, &transform) || !opened(&a, old_path) || !opened(&b, new_path)) {
        printf("{\"error\":\"cannot judge\"}\n");
        return;
    }
    int read = read_coefficients(&a);
    read &= read_coefficients(&b);
    printf("{\"components\":[");
    if (read && a.info.num_components == b.info.num_components)
        for (int c = 0; c < a.info.num_components; c++)
            printf("%s%s", c ? "," : "", same_component(&a, &b, c, &transform) ? "true" : "false");
    printf("],");
    int comparable = read && !has_impossible_samples(&a) && !has_impossible_samples(&b);
    jpeg_destroy_decompress(&a.info);
    jpeg_destroy_decompress(&b.info);
    if (read) {
        double psnr = 0;
        int largest = 0, decoded = read_pixels(&a);
        decoded &= read_pixels(&b);
        if (decoded && comparable && compare_pixels(&a, &b, &transform, &psnr, &largest))
            printf("\"psnr\":%.3f,\"largest\":%d,", psnr, largest);
        jpeg_destroy_decompress(&a.info);
        jpeg_destroy_decompress(&b.info);
    }
    print_file("original", &a);
    putchar(',');
    print_file("result", &b);
    printf("}\n");
    fclose(a.stream); fclose(b.stream); free(a.pixels); free(b.pixels);
}

int main(void)
{
    static char line[16384];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        char *result = strchr(line, '\t');
        char *name = result ? strchr(result + 1, '\t') : NULL;
        if (!name) return 1;
        *result++ = 0;
        *name++ = 0;
        judge(line, result, name);
        fflush(stdout);
    }
    return 0;
}
