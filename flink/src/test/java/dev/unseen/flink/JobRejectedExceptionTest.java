package dev.unseen.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.unseen.error.DifferentOptionsException;
import dev.unseen.error.DifferentOptionsException.Difference;
import java.util.List;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

class JobRejectedExceptionTest {
  @Test
  void the_client_names_options_of_what_a_task_has_thrown() throws Exception {
    JobRejectedException thrown =
        JobRejectedException.of(
            new DifferentOptionsException(List.of(new Difference("memory", "1", "2 bytes")), true));
    JobRejectedException received = InstantiationUtil.clone(thrown);

    assertThat(received.describe(name -> "--" + name))
        .contains("(--memory: 1 and 2 bytes)")
        .endsWith("without forgetting any key with --grow");
    assertThat(received.getMessage())
        .contains("(memory: 1 and 2 bytes)")
        .endsWith("onChange(GROW)");
  }
}
