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

// Rows `first` … `first + count - 1`, each the more alike the greater its product with the question.
__attribute__((export_name("scanBytes"))) void scan_bytes(const signed char *rows, const float *scales, u32 count,
                                                          u32 width, u32 first, const short *query, Best *best) {
  for (u32 row = 0; row < count; row++)
    offer(best, (float)multiply(rows + row * width, query, width) * scales[row], first + row);
}

// Rows anywhere, by their numbers: blocks of `block_rows` rows, each with its scales first and its rows `rows_at` behind them.
__attribute__((export_name("rankRows"))) void rank_rows(const u32 *slots, u32 count, const char *blocks, u32 block_rows,
                                                        u32 block_bytes, u32 rows_at, u32 width, const short *query,
                                                        Best *best) {
  for (u32 at = 0; at < count; at++) {
    u32 slot = slots[at], row = slot % block_rows;
    const char *block = blocks + slot / block_rows * block_bytes;
    const signed char *bytes = (const signed char *)block + rows_at + row * width;
    offer(best, (float)multiply(bytes, query, width) * ((const float *)block)[row], slot);
  }
}

static inline __attribute__((always_inline)) void count_words(const u64 *rows, u32 count, u32 words, const u64 *query,
                                                              unsigned short *distances, u32 *histogram) {
  for (u32 row = 0; row < count; row++, rows += words) {
    u64 even = 0, odd = 0;
#pragma unroll
    for (u32 word = 0; word < words; word += 2) {
      even += (u64)__builtin_popcountll(rows[word] ^ query[word]);
      odd += (u64)__builtin_popcountll(rows[word + 1] ^ query[word + 1]);
    }
    u32 distance = (u32)(even + odd);
    distances[row] = (unsigned short)distance;
    histogram[distance]++;
  }
}

// In how many signs, one bit each, rows differ from a question, and how many rows differ in as many. `words` of 64 bits, an
// even number of them; for vectors of up to 512 numbers the compiler knows how many, which is faster.
__attribute__((export_name("countSigns"))) void count_signs(const u64 *rows, u32 count, u32 words, const u64 *query,
                                                            unsigned short *distances, u32 *histogram) {
  if (words == 8) count_words(rows, count, 8, query, distances, histogram);
  else if (words == 6) count_words(rows, count, 6, query, distances, histogram);
  else count_words(rows, count, words, query, distances, histogram);
}

// The numbers of those of the rows `first` … that differ in at most so many signs; returns how many there are.
__attribute__((export_name("chooseRows"))) u32 choose_rows(const unsigned short *distances, u32 count, u32 first,
                                                           u32 farthest, u32 *slots) {
  u32 chosen = 0;
  for (u32 row = 0; row < count; row++)
    if (distances[row] <= farthest) slots[chosen++] = first + row;
  return chosen;
}

// Which of eight numbers are below those of the center.
static inline v128_t below(v128_t eight, v128_t scale, const float *center) {
  v128_t low = wasm_f32x4_convert_i32x4(wasm_i32x4_extend_low_i16x8(eight));
  v128_t high = wasm_f32x4_convert_i32x4(wasm_i32x4_extend_high_i16x8(eight));
  return wasm_i16x8_narrow_i32x4(wasm_f32x4_lt(wasm_f32x4_mul(low, scale), wasm_v128_load(center)),
                                 wasm_f32x4_lt(wasm_f32x4_mul(high, scale), wasm_v128_load(center + 4)));
}

// The signs of `count` rows, as seen from the center: a bit is set where a number is below it. Bits behind the end of a row are 0.
__attribute__((export_name("takeSigns"))) void take_signs(const signed char *rows, const float *scales, u32 count,
                                                          u32 width, const float *center, unsigned short *signs,
                                                          u32 words) {
  for (u32 row = 0; row < count; row++, rows += width) {
    v128_t scale = wasm_f32x4_splat(scales[row]);
    for (u32 at = 0; at < words * 64; at += 16) {
      if (at >= width) {
        *signs++ = 0;
        continue;
      }
      v128_t low = below(wasm_i16x8_load8x8(rows + at), scale, center + at);
      v128_t high = below(wasm_i16x8_load8x8(rows + at + 8), scale, center + at + 8);
      *signs++ = (unsigned short)wasm_i8x16_bitmask(wasm_i8x16_narrow_i16x8(low, high));
    }
  }
}
