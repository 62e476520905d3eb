package dev.unseen.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs on the earlier versions of Flink; all other tests have the newest. */
class VersionsTest {
  private static final TestCluster newest = TestCluster.shared();

  @TempDir Path directory;

  static Stream<String> versions() throws IOException {
    return VersionProcess.versions();
  }

  @ParameterizedTest
  @MethodSource("versions")
  void a_job_resumes_from_a_savepoint_there_and_on_the_newest(String version) throws Exception {
    List<String> lines = new VersionProcess(version).run(directory);
    assertThat(lines).startsWith(version);

    Configuration from = TestCluster.from(TestCluster.settings(directory), lines.get(1));
    List<Long> before = lines.stream().skip(2).map(Long::valueOf).toList();
    VersionProcess.resume(newest, from, directory, before);
  }
}
