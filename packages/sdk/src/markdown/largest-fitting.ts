// Finds how much fits with few questions: asking may mean to write a whole message in a channel's dialect.

/** The largest number up to `most` that fits, 0 if none; what fits is taken to fit with less, too. */
export function largestFitting(most: number, fits: (count: number) => boolean, firstGuess = 1): number {
  let good = 0;
  let bad = most + 1;
  let guess = Math.min(firstGuess, most);
  while (good + 1 < bad) {
    if (fits(guess)) good = guess;
    else bad = guess;
    // Doubling until something is too much: what comes first is often a small part of what there is.
    guess = bad > most ? Math.min(good * 2, most) : Math.floor((good + bad) / 2);
  }
  return good;
}
