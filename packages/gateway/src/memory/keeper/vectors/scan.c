// Looks through rows of vectors for those nearest to a question; compiled to the WebAssembly in scan-module.ts.
// The caller owns all memory and says where things are; nothing here allocates, keeps or calls anything.
#include <wasm_simd128.h>

typedef unsigned int u32;
typedef unsigned long long u64;

typedef struct {
  float score;
  u32 slot;
} Found;

// The best so far, as a heap: the worst of them is the first, so that it is at hand to be replaced.
typedef struct {
  u32 room;
  u32 count;
  Found found[];
} Best;

static void rise(Best *best, u32 at, Found fresh) {
  while (at > 0) {
    u32 above = (at - 1) / 2;
    if (best->found[above].score <= fresh.score) break;
    best->found[at] = best->found[above];
    at = above;
  }
  best->found[at] = fresh;
}

static void sink(Best *best, Found fresh) {
  u32 at = 0;
  for (;;) {
    u32 below = 2 * at + 1;
    if (below >= best->count) break;
    if (below + 1 < best->count && best->found[below + 1].score < best->found[below].score) below++;
    if (best->found[below].score >= fresh.score) break;
    best->found[at] = best->found[below];
    at = below;
  }
  best->found[at] = fresh;
}

static inline void offer(Best *best, float score, u32 slot) {
  Found fresh = {score, slot};
  if (best->count < best->room) rise(best, best->count++, fresh);
  else if (score > best->found[0].score) sink(best, fresh);
}

// The caller sees to it that no sum exceeds 32 bits. `width` is a multiple of 16.
static inline int multiply(const signed char *row, const short *query, u32 width) {
  v128_t even = wasm_i32x4_const_splat(0), odd = even;
  for (u32 at = 0; at < width; at += 16) {
    v128_t low = wasm_i16x8_load8x8(row + at), high = wasm_i16x8_load8x8(row + at + 8);
    even = wasm_i32x4_add(even, wasm_i32x4_dot_i16x8(low, wasm_v128_load(query + at)));
    odd = wasm_i32x4_add(odd, wasm_i32x4_dot_i16x8(high, wasm_v128_load(query + at + 8)));
  }
  v128_t sum = wasm_i32x4_add(even, odd);
  sum = wasm_i32x4_add(sum, wasm_i32x4_shuffle(sum, sum, 2, 3, 0, 1));
  return wasm_i32x4_extract_lane(sum, 0) + wasm_i32x4_extract_lane(sum, 1);
}

__attribute__((export_name("score"))) float score(const signed char *row, float scale, const short *query, u32 width) {
  return (float)multiply(row, query, width) * scale;
}

// Rows `first` … `first + count - 1`, each the more alike the greater its product with the question.
__attribute__((export_name("scanBytes"))) void scan_bytes(const signed char *rows, const float *scales, u32 count,
                                                          u32 width, u32 first, const short *query, Best *best) {
  for (u32 row = 0; row < count; row++)
    offer(best, (float)multiply(rows + row * width, query, width) * scales[row], first + row);
}

static inline __attribute__((always_inline)) void scan_words(const u64 *rows, u32 count, u32 words, u32 first,
                                                             const u64 *query, Best *best) {
  for (u32 row = 0; row < count; row++, rows += words) {
    u64 even = 0, odd = 0;
#pragma unroll
    for (u32 word = 0; word < words; word += 2) {
      even += (u64)__builtin_popcountll(rows[word] ^ query[word]);
      odd += (u64)__builtin_popcountll(rows[word + 1] ^ query[word + 1]);
    }
    offer(best, -(float)(even + odd), first + row);
  }
}

// The same by signs alone, one bit each: the fewer differ, the better. `words` of 64 bits, an even number of them; for
// vectors of up to 512 numbers the compiler knows how many, which is twice as fast.
__attribute__((export_name("scanSigns"))) void scan_signs(const u64 *rows, u32 count, u32 words, u32 first,
                                                          const u64 *query, Best *best) {
  if (words == 8) scan_words(rows, count, 8, first, query, best);
  else if (words == 6) scan_words(rows, count, 6, first, query, best);
  else scan_words(rows, count, words, first, query, best);
}

// The signs of `count` rows. Bits behind the end of a row are 0.
__attribute__((export_name("takeSigns"))) void take_signs(const signed char *rows, u32 count, u32 width,
                                                          unsigned short *signs, u32 words) {
  for (u32 row = 0; row < count; row++, rows += width)
    for (u32 at = 0; at < words * 64; at += 16)
      *signs++ = at < width ? (unsigned short)wasm_i8x16_bitmask(wasm_v128_load(rows + at)) : 0;
}
