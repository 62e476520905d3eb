package dev.unseen.io;

import dev.unseen.io.KeySpec.Header;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The columns of a key and of a time, by name or number. A header translates names to places. */
final class Columns {
  private static final Pattern NUMBERS = Pattern.compile("(\\d+)(?:(-)(\\d*))?");
  private static final int MAX_NUMBER = 99_999;
  private static final int MAX_DIGITS = 5;
  private static final int MOST_SHOWN = 500;

  private final KeySpec key;
  private final @Nullable String time;
  private final boolean header;

  /** Creates the columns. Rejects numbers out of range, and names if there is no header. */
  Columns(KeySpec key, @Nullable String time) {
    this.key = key;
    this.time = time;
    @Nullable String name = null;
    for (String field : fields()) {
      Matcher numbers = NUMBERS.matcher(field);
      if (!numbers.matches()) {
        name = field;
      } else if (first(numbers) > last(numbers)) {
        throw new IllegalArgumentException(
            "columns '%s' must go up, as in %d-%d".formatted(field, last(numbers), first(numbers)));
      }
    }
    if (time != null && time.indexOf('-') > 0 && NUMBERS.matcher(time).matches()) {
      throw new IllegalArgumentException("time '%s' must be one column".formatted(time));
    }
    if (name != null && key.header() == Header.ABSENT) {
      throw new IllegalArgumentException(
          "column '%s' is a name, which needs a header; give its number instead".formatted(name));
    }
    header = name != null || key.header() == Header.PRESENT;
  }

  private List<String> fields() {
    List<String> all = new ArrayList<>(key.fields());
    if (time != null) {
      all.add(time);
    }
    return all;
  }

  /** Returns whether the first record is a header. */
  boolean haveHeader() {
    return header;
  }

  /**
   * The places of columns, from 0.
   *
   * @param key the places of the key's columns, each once, in the order of the key
   * @param openFrom the place from which on all columns are parts of the key too; -1 if there is
   *     none
   * @param time the place of the time; -1 if there is none
   */
  record Places(List<Integer> key, int openFrom, int time) {}

  /** Returns the places in a file without a header. */
  Places places() {
    List<Integer> places = new ArrayList<>();
    for (String field : key.fields()) {
      Matcher numbers = NUMBERS.matcher(field);
      if (numbers.matches()) {
        addRange(numbers, places);
      }
    }
    return places(places, time == null ? -1 : Integer.parseInt(time) - 1);
  }

  /** Returns the places in a file with this header. */
  Places places(List<String> names, String file) throws InputException {
    List<Integer> places = new ArrayList<>();
    for (String field : key.fields()) {
      Matcher numbers = NUMBERS.matcher(field);
      if (numbers.matches()) {
        addRange(numbers, places);
        if (leastWidth(numbers) > names.size()) {
          throw absent("column", field, names, file);
        }
      } else {
        places.add(place("column", field, names, file));
      }
    }
    return places(places, time == null ? -1 : place("time column", time, names, file));
  }

  private Places places(List<Integer> places, int timePlace) {
    TreeSet<Integer> open = new TreeSet<>();
    for (String field : key.fields()) {
      Matcher numbers = NUMBERS.matcher(field);
      if (numbers.matches() && isOpen(numbers)) {
        open.add(first(numbers) - 1);
      }
    }
    int from = open.isEmpty() ? -1 : open.first();
    List<Integer> once =
        places.stream().filter(place -> from < 0 || place < from).distinct().toList();
    return new Places(once, from, timePlace);
  }

  private static int place(String what, String field, List<String> names, String file)
      throws InputException {
    Matcher number = NUMBERS.matcher(field);
    if (number.matches()) {
      if (first(number) > names.size()) {
        throw absent(what, field, names, file);
      }
      return first(number) - 1;
    }
    String name = KeySpec.unescape(field);
    int place = names.indexOf(name);
    if (place < 0) {
      throw absent(what, name, names, file);
    }
    if (Collections.frequency(names, name) > 1) {
      throw new InputException(
          "%s has more than one %s '%s': %d and %d; give the number instead"
              .formatted(file, what, name, place + 1, names.lastIndexOf(name) + 1));
    }
    return place;
  }

  private static InputException absent(
      String what, String column, List<String> names, String file) {
    return new InputException(
        "%s has no %s '%s'; it has %d: %s%s"
            .formatted(file, what, column, names.size(), listed(names), hint(names)));
  }

  /** Returns the first names, as far as a message can show them. */
  private static String listed(List<String> names) {
    String all = String.join(", ", names);
    boolean whole = all.length() <= MOST_SHOWN;
    return whole ? all : all.substring(0, MOST_SHOWN) + "...";
  }

  /** Returns the remedy if the only column looks like several. */
  private static String hint(List<String> names) {
    if (names.size() == 1) {
      for (String separator : List.of(";", "\t", "|", ",")) {
        if (names.get(0).contains(separator)) {
          return "; if '%1$s' separates the columns, add -t '%1$s'"
              .formatted(separator.replace("\t", "\\t"));
        }
      }
    }
    return "";
  }

  private static void addRange(Matcher numbers, List<Integer> places) {
    for (int number = first(numbers); number <= leastWidth(numbers); number++) {
      places.add(number - 1);
    }
  }

  private static boolean isOpen(Matcher numbers) {
    return numbers.group(2) != null && numbers.group(3).isEmpty();
  }

  private static int first(Matcher numbers) {
    return number(numbers.group(1));
  }

  private static int last(Matcher numbers) {
    if (isOpen(numbers)) {
      return MAX_NUMBER;
    }
    return numbers.group(2) == null ? first(numbers) : number(numbers.group(3));
  }

  /** Returns the least number of columns that a record must have. */
  private static int leastWidth(Matcher numbers) {
    return isOpen(numbers) ? first(numbers) : last(numbers);
  }

  private static int number(String digits) {
    int number = digits.length() > MAX_DIGITS ? 0 : Integer.parseInt(digits);
    if (number == 0) {
      throw new IllegalArgumentException(
          "column %s must be from 1 to %d".formatted(digits, MAX_NUMBER));
    }
    return number;
  }
}
