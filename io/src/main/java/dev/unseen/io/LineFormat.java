package dev.unseen.io;

import static java.nio.charset.StandardCharsets.UTF_8;

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
    return new RecordTagger() {
      @Override
      public void tag(byte[] bytes, int start, int end, boolean fresh) {
        insert(start, start, (word(fresh) + "\t").getBytes(UTF_8));
      }
    };
  }
}
