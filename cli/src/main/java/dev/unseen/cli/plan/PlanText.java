package dev.unseen.cli.plan;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.plan.BoundCurve;
import dev.unseen.plan.MemoryNeed;
import dev.unseen.plan.Plan;
import dev.unseen.plan.PlanOption;
import dev.unseen.text.Print;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Shows a plan to people. */
final class PlanText {
  private static final String MEANING =
      """
      FPR: the share of new records that are dropped. FNR: the share of duplicates that pass.
      lost/M and passed/M: how many these are in a million records of the stream.
      """;

  private static final double LEAST_PER_MILLION = 0.01;

  private PlanText() {}

  /** Returns the table, the recommendation, and how to build it. */
  static String of(Plan plan, DescribedStream stream, boolean all) {
    StringBuilder text = new StringBuilder();
    text.append(stream.words())
        .append("; ")
        .append(Print.bytes(plan.memoryBytes()))
        .append(bitsPerKey(plan))
        .append(notes(stream));
    text.append(table(plan, all)).append('\n').append(MEANING).append('\n');
    PlanOption best = plan.recommendation().option();
    String reason = plan.recommendation().reason();
    text.append(plan.rejection().isPresent() ? "Nearest: " : "Recommended: ")
        .append(best.spec().describe())
        .append(". ")
        .append(reason.substring(0, 1).toUpperCase(Locale.ROOT))
        .append(reason.substring(1))
        .append('.')
        .append("\n\n")
        .append(recipe(best));
    return text.toString();
  }

  private static String recipe(PlanOption option) {
    Recipe recipe = new Recipe(option.spec());
    return recipe.shell().indent(2) + "\n" + recipe.java().indent(2);
  }

  private static String notes(DescribedStream stream) {
    return stream.notes().stream().map(note -> "\n" + note).collect(Collectors.joining()) + "\n\n";
  }

  private static String bitsPerKey(Plan plan) {
    double records = plan.stream().records();
    return records == Double.POSITIVE_INFINITY
        ? ""
        : ", %s bits per key"
            .formatted(Print.digits(8.0 * plan.memoryBytes() / plan.stream().distinct(records), 3));
  }

  private static AlignedTable table(Plan plan, boolean all) {
    AlignedTable table = new AlignedTable().row("filter", "k", "FPR", "FNR", "lost/M", "passed/M");
    Map<FilterKind, PlanOption> best = new EnumMap<>(FilterKind.class);
    for (PlanOption option : plan.options()) {
      best.putIfAbsent(option.spec().kind(), option);
    }
    PlanOption recommended = plan.recommendation().option();
    boolean limited = plan.limits().maxFpr() < 1 || plan.limits().maxFnr() < 1;
    for (PlanOption option : plan.options()) {
      FilterKind kind = option.spec().kind();
      boolean telling =
          option.equals(best.get(kind)) || isUsual(option.spec()) || option.equals(recommended);
      if (all || telling) {
        String remark =
            option.equals(recommended)
                ? plan.rejection().isPresent() ? "<- nearest" : "<- recommended"
                : limited && plan.limits().isMetBy(option.prediction()) ? "within the limits" : "";
        add(table, option, remark);
      }
    }
    plan.bound().ifPresent(bound -> addBound(table, bound.withoutFalseNegatives(), plan));
    return table;
  }

  private static void add(AlignedTable table, PlanOption option, String remark) {
    String details = new Recipe(option.spec()).remarks();
    boolean joined = !details.isEmpty() && !remark.isEmpty() && !remark.startsWith("<-");
    List<String> cells = cells(option);
    cells.add((details + (joined ? ", " : " ") + remark).strip());
    table.row(cells);
  }

  /** Returns the figures of a filter: kind, k, both rates, and what is lost and passed. */
  static List<String> cells(PlanOption option) {
    return new ArrayList<>(
        List.of(
            option.spec().kind().id(),
            Integer.toString(option.spec().hashes()),
            Print.rate(option.prediction().fpr()),
            Print.rate(option.prediction().fnr()),
            perMillion(option.lostPerMillion()),
            perMillion(option.passedPerMillion())));
  }

  /**
   * Returns how many of a million records are wrong; fewer than one in a hundred million are ~0.
   */
  private static String perMillion(double count) {
    return count > 0 && count < LEAST_PER_MILLION ? "~0" : Print.digits(count, 2);
  }

  private static boolean isUsual(FilterSpec spec) {
    return spec.hashes() == spec.kind().defaultHashes();
  }

  private static void addBound(AlignedTable table, BoundCurve.Point least, Plan plan) {
    double newShare = plan.stream().distinct(plan.stream().records()) / plan.stream().records();
    table.row(
        "any structure",
        "",
        Print.rate(least.fpr()),
        "0 %",
        perMillion(1e6 * newShare * least.fpr()),
        "0",
        "the information bound: nothing does better");
  }

  /** Returns the memory that each kind needs, the smallest first. */
  static String of(List<MemoryNeed> needs, DescribedStream stream, String limits) {
    AlignedTable table =
        new AlignedTable().row("filter", "k", "memory", "FPR", "FNR", "lost/M", "passed/M");
    needs.stream()
        .flatMap(need -> need.option().stream())
        .sorted(Comparator.comparingLong(option -> option.spec().memoryBytes()))
        .forEach(
            option -> {
              List<String> cells = cells(option);
              cells.add(2, Print.bytes(option.spec().memoryBytes()));
              cells.add(new Recipe(option.spec()).remarks());
              table.row(cells);
            });
    needs.stream()
        .filter(need -> need.option().isEmpty())
        .forEach(need -> table.row(need.kind().id(), "", "never enough"));
    StringBuilder text =
        new StringBuilder("%s; memory needed for %s".formatted(stream.words(), limits))
            .append(notes(stream))
            .append(table)
            .append('\n')
            .append(MEANING);
    least(needs)
        .ifPresent(
            option ->
                text.append("\nLeast memory: ")
                    .append(option.spec().describe())
                    .append(".\n\n")
                    .append(recipe(option)));
    return text.toString();
  }

  static Optional<PlanOption> least(List<MemoryNeed> needs) {
    return needs.stream()
        .flatMap(need -> need.option().stream())
        .min(Comparator.comparingLong(option -> option.spec().memoryBytes()));
  }
}
