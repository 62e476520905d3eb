package dev.unseen.filter.recency;

/**
 * Joins the keys of two lines of RECENCY: the repeated ones of both in turn, and the new ones of
 * both in turn. A key that is new to both lines was seen twice, so it becomes one of the repeated.
 * What does not fit goes as it would go from a full line.
 */
final class LineMerge {
  private final LineForm form;
  private final Target target;
  private final boolean refreshes;

  /**
   * Creates the way to join the lines of a filter.
   *
   * @param form what the lines look like
   * @param target how many repeated keys to keep in a line
   * @param refreshes whether a key that was seen twice becomes a repeated one
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

  /** Joins the keys of two lines into one of the same level, or of a later one. */
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
