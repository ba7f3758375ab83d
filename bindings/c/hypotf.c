/*
 * Swift's module of glibc, which is linked as a whole, refers to hypotf. Nobody calls it, and that of the system would
 * require glibc 2.35, whose version of it sets errno otherwise.
 */
float hypotf(float x, float y) { return (float)__builtin_sqrt((double)x * x + (double)y * y); }
