/**
 * Opens files, cuts them into records and finds their keys. Start with {@link
 * dev.unseen.io.KeyReader}; {@link dev.unseen.io.RecordFormat} lists the formats.
 *
 * <p>This is a separate module because of the libraries that decompress: the core has no
 * dependencies.
 */
@SuppressWarnings("requires-automatic") // lz4-java has a name for modules, but no descriptor
module dev.unseen.io {
  requires com.github.luben.zstd_jni;
  requires org.apache.commons.compress;
  requires org.lz4.java;
  requires org.tukaani.xz;
  requires static org.jspecify;

  exports dev.unseen.io;
}
