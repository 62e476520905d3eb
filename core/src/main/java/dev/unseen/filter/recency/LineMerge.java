package dev.unseen.filter.recency;

/**
 * Merges the keys of two lines of RECENCY: the repeated keys of both in turn, and the new keys of
 * both in turn. A key that is new in both lines was seen twice, so it becomes a repeated key. Keys
 * that do not fit are dropped in the order in which a full line drops them.
 */
final class LineMerge {
  private final LineForm form;
  private final Target target;
  private final boolean refreshes;

  /**
   * Creates the merge for the lines of a filter.
   *
   * @param form the shapes of the lines
   * @param target the number of repeated keys to keep in a line
   * @param refreshes whether a key that was seen twice becomes a repeated key
   */
  LineMerge(LineForm form, Target target, boolean refreshes) {
    this.form = form;
    this.target = target;
    this.refreshes = refreshes;
  }

  /** Some keys of a line, the latest first. */
  @SuppressWarnings("ArrayRecordComponent") // a view, never compared
  record Keys(long[] news, long[] repeated) {
    int count() {
      return news.length + repeated.length;
    }
  }

  /** Merges the keys of two lines into one line of the same level or a later one. */
  Keys join(Keys a, Keys b, int level) {
    int room = form.mostLanes(level);
    int width = form.width(level);
    LineUnion repeated = new LineUnion(2 * room, width);
    repeated.addInTurn(a.repeated, b.repeated);
    if (refreshes) {
      repeated.addBoth(a.news, b.news);
    }
    LineUnion news = new LineUnion(2 * room, width);
    news.addInTurn(a.news, b.news);
    news.removeAll(repeated);
    int most = form.isSorted(level) ? room : target.lanes();
    while (repeated.size() + news.size() > room) {
      (news.size() == 0 || repeated.size() > most ? repeated : news).dropLast(1);
    }
    return new Keys(news.toArray(), repeated.toArray());
  }
}
