package dev.unseen.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.Option;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Parameter;
import org.junit.jupiter.api.Test;

final class RecipeTest {
  @Test
  void java_code_names_an_option_of_the_builder() throws ReflectiveOperationException {
    FilterSpec spec =
        FilterSpec.builder(FilterKind.SAMPLED, 1024).set(Parameter.SHARE, 0.25).build();
    assertThat(new Recipe(spec).call(Parameter.SHARE)).isEqualTo(".set(Option.SHARE, 0.25)");
    assertThat(Option.class.getField("SHARE").get(null)).isEqualTo(Option.SHARE);
    assertThat(new Recipe(spec).option(Parameter.SHARE)).isEqualTo("--share 0.25");
  }

  @Test
  void a_rate_has_its_name_at_the_command_line() {
    FilterSpec spec = FilterSpec.of(FilterKind.RECENCY, 1024);
    assertThat(new Recipe(spec).option(Parameter.MAX_FPR)).isEqualTo("--max-fpr 1e-4");
  }
}
