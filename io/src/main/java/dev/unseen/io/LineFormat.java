package dev.unseen.io;

/** Lines: each is its own key, and gets its tag at its beginning, before a tab. */
final class LineFormat implements Format {
  @Override
  public void check(RecordSpec spec, String id) {
    Format.rejectKey(spec, id);
    Format.rejectColumns(spec, id);
  }

  @Override
  public RecordCutter cutter(RecordSpec spec, String file) {
    return new LineCutter(spec.lineEnd(), spec.normal());
  }

  @Override
  public RecordTagger tagger(RecordSpec spec) {
    byte[][] words = RecordTagger.words("", "\t");
    return new RecordTagger() {
      @Override
      public void tag(byte[] bytes, int start, int end, boolean fresh) {
        insert(start, start, words[fresh ? 1 : 0]);
      }
    };
  }
}
