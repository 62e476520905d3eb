/**
 * Opens files, cuts them into records and finds their keys. Start at {@link
 * dev.unseen.io.KeyReader}; {@link dev.unseen.io.RecordFormat} lists the formats.
 *
 * <p>A module of its own because of its dependencies, the libraries that unpack: the core has none.
 */
@SuppressWarnings("requires-automatic") // lz4-java has a name for modules, but no descriptor
module dev.unseen.io {
  requires com.github.luben.zstd_jni;
  requires org.apache.commons.compress;
  requires org.lz4.java;
  requires org.tukaani.xz;

  exports dev.unseen.io;
}
