package dev.unseen.flink.job;

import static dev.unseen.commands.RecordArguments.group;

import dev.unseen.Option;
import dev.unseen.commands.GateArguments;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Declares the options of {@link UnseenJob}, under the names that the shell has for them. */
final class JobArguments {
  private JobArguments() {}

  /** Returns the declaration of the command. */
  static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("unseen flink");
    spec.usageMessage()
        .sortOptions(false)
        .customSynopsis(
            "unseen flink [OPTIONS] -i FILE -o DIRECTORY",
            "       unseen flink [OPTIONS] --bootstrap HOST:PORT --from TOPIC --to TOPIC")
        .description(
            "Writes each record of files or of a topic once, as a job of Apache Flink.",
            "It runs in this process. For a cluster: flink run unseen-flink-job.jar [OPTIONS].");
    spec.addArgGroup(
        group(
            "Input",
            OptionSpec.builder("-i", "--input")
                .paramLabel("FILE")
                .type(String[].class)
                .description("Read this file. Repeat the option for several."),
            value("TOPIC", "Read this topic of Kafka.", "--from"),
            value("HOST:PORT", "Connect to Kafka by these brokers.", "-b", "--bootstrap"),
            value("FILE", "Settings of Kafka's clients, such as credentials.", "--config"),
            value("NAME", "Commit offsets as this group. Default: unseen-flink.", "--group"),
            flag("Stop when all messages that existed on startup are processed.", "--exit-at-end"),
            value(
                "FORMAT", "Read lines, csv, tsv or jsonl. Default: by the name.", "-f", "--format"),
            flag("Treat the first row of CSV or TSV as column names.", "--header"),
            flag("Treat the first row of CSV or TSV as data.", "--no-header"),
            value("SEP", "Split columns at SEP. Quotes are part of the data.", "--separator"),
            value(
                "ACTION",
                "What happens to a record that cannot be used: fail, skip or pass. Default: fail.",
                "--on-error")));
    spec.addArgGroup(
        group(
            "Key",
            value(
                "FIELDS",
                "Compare only these fields, such as id,user.name; of messages fields of the JSON"
                    + " value, record-key or record-value. Default: the whole record.",
                "-k",
                "--key"),
            flag("Ignore upper and lower case in keys.", "--ignore-case"),
            flag("Ignore blanks around a key.", "--trim"),
            flag(
                "Let null be a key: a key field may be missing, and keys that are null in JSON or"
                    + " empty in CSV are equal. Default: such a record cannot be used.",
                "--missing-as-null"),
            value(
                "FIELD",
                "Take the time of a record from this field. Default: the time of the message, or"
                    + " of arrival for files.",
                "--time"),
            GateArguments.declare(Option.MAX_TIME_AHEAD, "Default: 1d."),
            GateArguments.declare(Option.MAX_LATENESS, "Default: the window."),
            GateArguments.declare(Option.LATE_RECORDS, "Default: admit.")));
    spec.addArgGroup(
        group(
            "Output",
            value(
                "DIRECTORY",
                "Write the first record of each key to files in it.",
                "-o",
                "--output"),
            value(
                "TOPIC",
                "Write the first record of each key to this topic. Each is written once if there are"
                    + " --checkpoints.",
                "--to"),
            value(
                "PLACE",
                "Write suspected duplicates there, a directory or topic as the output.",
                "--duplicates-to")));
    spec.addArgGroup(
        group(
            "Filter",
            GateArguments.declare(
                Option.MEMORY, "It is divided among all tasks. Default: 64M.", "-m"),
            GateArguments.declare(Option.MAX_FPR, "Default: 1e-4."),
            GateArguments.declare(Option.WINDOW, "Here it is a time. Default: no window."),
            value(
                "FILE",
                "Hash keys with the secret in FILE, 32 hexadecimal digits.",
                "--secret-file"),
            GateArguments.declare(Option.SEED, ""),
            GateArguments.declare(Option.ON_CHANGE, ""),
            GateArguments.declare(Option.MAX_HANDOVER, "")));
    spec.addArgGroup(
        group(
            "Run",
            value("N", "Run this many tasks, 1 to 128. Default: 1.", "--parallelism"),
            value(
                "STATE",
                "Start from a state in shards, such as the shell saves with --sharded.",
                "--initial-state"),
            value("DIRECTORY", "Keep a checkpoint there, every 10 seconds.", "--checkpoints"),
            value("DIRECTORY", "Start from this savepoint or checkpoint.", "--savepoint"),
            OptionSpec.builder("-h", "--help").usageHelp(true).description("Print this help.")));
    return spec;
  }

  private static OptionSpec.Builder value(String label, String says, String... names) {
    return OptionSpec.builder(names).paramLabel(label).type(String.class).description(says);
  }

  private static OptionSpec.Builder flag(String says, String name) {
    return OptionSpec.builder(name).type(boolean.class).description(says);
  }
}
