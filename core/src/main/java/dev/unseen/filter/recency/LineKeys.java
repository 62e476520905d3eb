package dev.unseen.filter.recency;

/**
 * The keys of a line as fingerprints, the latest first if their order is known.
 *
 * @param news those that have come once
 * @param repeated those that have come again
 */
@SuppressWarnings("ArrayRecordComponent") // a view, never compared
record LineKeys(long[] news, long[] repeated) {
  int count() {
    return news.length + repeated.length;
  }
}
