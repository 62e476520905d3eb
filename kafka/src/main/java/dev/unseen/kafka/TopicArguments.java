package dev.unseen.kafka;

import static dev.unseen.commands.RecordArguments.flag;
import static dev.unseen.commands.RecordArguments.group;
import static dev.unseen.commands.RecordArguments.value;

import dev.unseen.Option;
import dev.unseen.commands.GateArguments;
import java.io.File;
import java.util.List;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Declares the options of {@code unseen kafka}, under the names that the shell has for them. */
final class TopicArguments {
  private TopicArguments() {}

  /** Returns the declaration. */
  static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("kafka");
    spec.usageMessage()
        .sortOptions(false)
        .customSynopsis("unseen kafka -b HOST:PORT --from TOPIC --to TOPIC -m SIZE [OPTIONS]")
        .description(
            "",
            "Writes the first record of each key of a Kafka topic to another topic, until it is"
                + " stopped. Keys, values, headers, timestamps and partitions stay as they are.",
            "",
            "Output, offsets and known keys are committed in one transaction, so a failure neither"
                + " repeats nor loses a record. The filter itself drops a new record by mistake at"
                + " most as often as --max-fpr allows, and passes a duplicate whose key it has"
                + " forgotten: because memory is short, or, with --window, up to half a window"
                + " early after a restart.");
    spec.addArgGroup(topics());
    spec.addArgGroup(keys());
    spec.addArgGroup(filter());
    spec.addArgGroup(running());
    spec.usageMessage()
        .footer(
            "",
            "Examples:",
            "  unseen kafka -b localhost:9092 --from clicks --to clicks-once -k id \\",
            "      -m 256M --window 24h",
            "  unseen kafka -b localhost:9092 --from clicks --to - -m 64M | wc -l");
    return spec;
  }

  private static ArgGroupSpec topics() {
    return group(
        "Topics",
        value("HOST:PORT", "-b", "--bootstrap")
            .description("Connect to the cluster with these brokers, separated by commas."),
        value("TOPIC", "--from")
            .description(
                "Read this topic from its beginning, or from where the application has stopped."
                    + " - reads lines from standard input."),
        value("TOPIC", "--to")
            .description(
                "Write the first record of each key to this topic. - writes values to standard"
                    + " output, one per line."),
        value("TOPIC", "--duplicates-to")
            .description("Write suspected duplicates to this topic. Default: they are dropped."),
        value("TOPIC", "--rejects-to")
            .description(
                "Write records that have no key, and those that --late drop leaves out, to this"
                    + " topic, with the reason in a header."),
        value("NAME", "--application-id")
            .description(
                "Remember keys and offsets under this name. Instances with the same name share"
                    + " the work. Default: unseen-FROM-TO."),
        file("--config")
            .description(
                "Take settings of Kafka's clients from this properties file: credentials, TLS."));
  }

  private static ArgGroupSpec keys() {
    return group(
        "Key",
        value("KEY", "-k", "--key")
            .description(
                "Compare record-key, record-value, or these fields of a JSON value:"
                    + " id,user.name. Default: record-key."),
        value("CLASS", "--value-deserializer")
            .description(
                "Find the fields of the key in what this deserializer returns: Avro records,"
                    + " Protobuf messages or JSON. Its settings are in --config, and its jars in"
                    + " UNSEEN_EXTRA_CLASSPATH. Values are written as they came. Default: values"
                    + " are JSON."),
        flag("--repartition")
            .description(
                "Compare records of all partitions, by way of a topic that is partitioned by the"
                    + " key. Default: records of one partition are compared."),
        flag("-i", "--ignore-case")
            .description("Ignore upper and lower case in fields of the key."),
        flag("--trim").description("Ignore blanks around a field of the key."),
        flag("--missing-as-null")
            .description(
                "Let null be a key: a field of it may be missing, and keys that are null are equal."
                    + " Default: such a record has no key."),
        value("ACTION", "--on-error")
            .completionCandidates(List.of("fail", "skip", "pass"))
            .description(
                "Choose what happens to a record that has no key: fail ends the run, skip leaves"
                    + " it out, pass lets it through. Default: fail; skip with --rejects-to."),
        value("ACTION", "--tombstones")
            .completionCandidates(List.of("pass", "drop"))
            .description(
                "Choose what happens to a record without a value: pass lets it through, always;"
                    + " drop leaves it out. Default: pass."));
  }

  private static ArgGroupSpec filter() {
    return group(
        "Filter",
        GateArguments.declare(
            Option.MEMORY, "It is divided among all partitions. Default: 64M.", "-m"),
        GateArguments.declare(Option.MAX_FPR, "Default: 1e-4."),
        GateArguments.declare(
            Option.WINDOW,
            "Here it is a time, by the timestamps of the records. Default: no window."),
        GateArguments.declare(Option.MAX_TIME_AHEAD, "Default: 1d."),
        GateArguments.declare(Option.MAX_LATENESS, "Default: the window."),
        GateArguments.declare(Option.LATE_RECORDS, "Default: admit."),
        flag("--grow")
            .description(
                "Let memory, rate and window differ from those of earlier runs: the filters are"
                    + " built from the changelog with the new ones, and forget no key. Default:"
                    + " the run fails."),
        GateArguments.declare(Option.SEED, ""));
  }

  private static ArgGroupSpec running() {
    return group(
        "Running",
        value("N", "--threads").description("Use this many threads (1 to 256). Default: 1."),
        value("TIME", "--snapshot-every")
            .description(
                "Save the filters in the state directory this often, for a faster restart."
                    + " Default: they are restored from Kafka."),
        file("--state-dir")
            .description("Keep local files in this directory. Default: one for temporary files."),
        flag("--exit-at-end")
            .description("Stop when all records that existed on startup are processed."),
        value("TIME", "--patience")
            .description("Give up when no broker has answered for this time. Default: 60s."),
        value("PORT", "--metrics-port")
            .description("Serve figures for Prometheus at this port, such as 9100."),
        flag("-q", "--quiet").description("Write only errors to standard error."),
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Show this help."));
  }

  private static OptionSpec.Builder file(String name) {
    return OptionSpec.builder(name).type(File.class).paramLabel("PATH"); // shells complete it
  }
}
