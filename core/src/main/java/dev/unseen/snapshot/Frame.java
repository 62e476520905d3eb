package dev.unseen.snapshot;

/** The kinds of block in a file, with the number that stands for each. */
enum Frame {
  /** The spec, the counts and the texts. */
  HEAD(1, "head"),
  /** The numbers of one part. */
  NUMBERS(2, "numbers"),
  /** A piece of the storage of one part. */
  STORAGE(3, "storage"),
  /** The end mark. */
  END(4, "end mark");

  final int id;
  final String words;

  Frame(int id, String words) {
    this.id = id;
    this.words = words;
  }
}
