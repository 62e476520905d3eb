/**
 * Opens files and reads the keys of their records. Start at {@link dev.unseen.io.KeyReaders}.
 *
 * <p>A module of its own because of its dependencies: compression, CSV and JSON, of which the core
 * has none.
 */
module dev.unseen.io {
  requires com.fasterxml.jackson.core;
  requires com.github.luben.zstd_jni;
  requires de.siegmar.fastcsv;
  requires org.tukaani.xz;

  exports dev.unseen.io;
}
