package dev.unseen.lab;

import dev.unseen.lab.stream.NamedStream;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists the synthetic streams at the end of a command's help. */
@Command
final class StreamHelp {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("unused") // picocli's
  void command(CommandSpec command) {
    List<String> lines = new ArrayList<>(List.of("", "Synthetic streams, for --synthetic:"));
    NamedStream.help().forEach(line -> lines.add(line.replace("%", "%%")));
    command.usageMessage().footer(lines.toArray(String[]::new));
  }
}
