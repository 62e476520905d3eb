package dev.unseen.cli.dedup;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Knows the version, which the build writes into a resource of the library. */
public final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() throws IOException {
    Properties build = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("/dev/unseen/version.properties")) {
      build.load(in);
    }
    return new String[] {"unseen " + build.getProperty("version")};
  }
}
