package dev.unseen.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Option;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import org.junit.jupiter.api.Test;

final class ParameterTextTest {
  @Test
  void java_code_names_an_option_of_the_builder() throws ReflectiveOperationException {
    FilterSpec spec =
        FilterSpec.builder(FilterKind.SAMPLED, 1024).set(Parameter.SHARE, 0.25).build();
    assertThat(ParameterText.java(Parameter.SHARE, spec)).isEqualTo(".set(Option.SHARE, 0.25)");
    assertThat(Option.class.getField("SHARE").get(null)).isEqualTo(Option.SHARE);
    assertThat(ParameterText.shell(Parameter.SHARE, spec)).isEqualTo("--share 0.25");
  }

  @Test
  void a_rate_has_its_name_at_the_command_line() {
    FilterSpec spec = FilterSpec.of(FilterKind.RECENCY, 1024);
    assertThat(ParameterText.shell(Parameter.MAX_FPR, spec)).isEqualTo("--max-fpr 1e-4");
  }
}
