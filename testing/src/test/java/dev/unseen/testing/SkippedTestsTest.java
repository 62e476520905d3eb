package dev.unseen.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class SkippedTestsTest {
  private static final LauncherConfig ALONE =
      LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build();

  /** Runs a class as Maven does, and returns the lines that are printed. */
  private static List<String> printed(Class<?> tests) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests)).build();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LauncherFactory.create(ALONE)
        .execute(request, new SkippedTests(new PrintStream(out, true, UTF_8)));
    return out.toString(UTF_8).lines().toList();
  }

  static class Some {
    @Test
    void runs() {}

    @Test
    void wants_redis() {
      assumeTrue(false, "redis-server is not on the PATH");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void wants_a_browser(int number) {
      assumeTrue(number > 3, "chromium is\n not on the PATH");
    }

    @Test
    void says_nothing() {
      assumeTrue(false);
    }

    @Nested
    class Inner {
      @Test
      @Disabled("is an example")
      void is_never_run() {}
    }
  }

  @Test
  void prints_a_line_for_each_reason_of_a_class() {
    assertThat(printed(Some.class))
        .containsExactlyInAnyOrder(
            "SKIPPED SkippedTestsTest.Some.wants_redis: redis-server is not on the PATH",
            "SKIPPED SkippedTestsTest.Some.wants_a_browser and 2 more: chromium is not on the PATH",
            "SKIPPED SkippedTestsTest.Some.says_nothing: assumption is not true",
            "SKIPPED SkippedTestsTest.Some.Inner.is_never_run: is an example");
  }

  static class Whole {
    @BeforeAll
    static void wants_node() {
      assumeTrue(false, "node is not on the PATH");
    }

    @Test
    void never_starts() {}
  }

  @Disabled("is an example")
  static class Off {
    @Test
    void never_starts() {}
  }

  @Test
  void names_a_class_that_is_skipped_as_a_whole() {
    assertThat(printed(Whole.class))
        .containsExactly("SKIPPED SkippedTestsTest.Whole: node is not on the PATH");
    assertThat(printed(Off.class)).containsExactly("SKIPPED SkippedTestsTest.Off: is an example");
  }

  @Test
  void is_found_by_JUnit() {
    assertThat(ServiceLoader.load(TestExecutionListener.class))
        .hasAtLeastOneElementOfType(SkippedTests.class);
  }
}
