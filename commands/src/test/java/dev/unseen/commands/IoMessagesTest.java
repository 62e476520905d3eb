package dev.unseen.commands;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

final class IoMessagesTest {
  @Test
  void names_the_file_and_the_reason() {
    assertThat(IoMessages.describe(new NoSuchFileException("a.csv"))).startsWith("a.csv: ");
    assertThat(IoMessages.describe(new IOException("the disk is full")))
        .isEqualTo("the disk is full");
  }

  @Test
  void an_exception_without_a_message_is_described_by_its_name() {
    assertThat(IoMessages.describe(new EOFException())).isEqualTo("EOFException");
    assertThat(IoMessages.innermost(new IllegalStateException(new EOFException())))
        .isEqualTo("EOFException");
  }
}
