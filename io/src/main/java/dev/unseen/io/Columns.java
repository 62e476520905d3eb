package dev.unseen.io;

import dev.unseen.io.KeySpec.Header;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The columns of a key and of a time, by name or number. A header translates names to places. */
final class Columns {
  private static final Pattern NUMBERS = Pattern.compile("(\\d+)(?:-(\\d*))?");
  private static final int MAX_NUMBER = 99_999;
  private static final int MAX_DIGITS = 5;
  private static final int MOST_SHOWN = 500;

  /**
   * Columns as they were written.
   *
   * @param first the number of the first one; 0 if it is a name
   * @param last the number of the last one that a record must have
   * @param isOpen whether all columns after it are meant, too
   */
  private record Field(String text, int first, int last, boolean isOpen) {
    boolean isName() {
      return first == 0;
    }
  }

  private final List<Field> key;
  private final @Nullable Field time;
  private final boolean header;

  /** Creates the columns. Rejects numbers out of range, and names if there is no header. */
  Columns(KeySpec spec, @Nullable String time) {
    key = spec.fields().stream().map(Columns::field).toList();
    this.time = time == null ? null : field(time);
    if (this.time != null && !this.time.isName() && this.time.text().indexOf('-') > 0) {
      throw new IllegalArgumentException("time '%s' must be one column".formatted(time));
    }
    List<Field> all = new ArrayList<>(key);
    if (this.time != null) {
      all.add(this.time);
    }
    all.removeIf(field -> !field.isName());
    if (!all.isEmpty() && spec.header() == Header.ABSENT) {
      throw new IllegalArgumentException(
          "column '%s' is a name, which needs a header; give its number instead"
              .formatted(all.get(0).text()));
    }
    header = !all.isEmpty() || spec.header() == Header.PRESENT;
  }

  private static Field field(String text) {
    Matcher numbers = NUMBERS.matcher(text);
    if (!numbers.matches()) {
      return new Field(text, 0, 0, false);
    }
    int first = number(numbers.group(1));
    String end = numbers.group(2); // null: one column; empty: an open range
    int last = end == null || end.isEmpty() ? first : number(end);
    if (first > last) {
      throw new IllegalArgumentException(
          "columns '%s' must go up, as in %d-%d".formatted(text, last, first));
    }
    return new Field(text, first, last, end != null && end.isEmpty());
  }

  private static int number(String digits) {
    int number = digits.length() > MAX_DIGITS ? 0 : Integer.parseInt(digits);
    if (number == 0) {
      throw new IllegalArgumentException(
          "column %s must be from 1 to %d".formatted(digits, MAX_NUMBER));
    }
    return number;
  }

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
    key.forEach(field -> addNumbers(field, places));
    return places(places, time == null ? -1 : time.first() - 1);
  }

  /** Returns the places in a file with this header. */
  Places places(List<String> names, String file) throws InputException {
    List<Integer> places = new ArrayList<>();
    for (Field field : key) {
      int place = place("column", field, names, file);
      if (field.isName()) {
        places.add(place);
      } else {
        addNumbers(field, places);
      }
    }
    return places(places, time == null ? -1 : place("time column", time, names, file));
  }

  private Places places(List<Integer> places, int timePlace) {
    int from =
        key.stream().filter(Field::isOpen).mapToInt(field -> field.first() - 1).min().orElse(-1);
    List<Integer> once =
        places.stream().filter(place -> from < 0 || place < from).distinct().toList();
    return new Places(once, from, timePlace);
  }

  private static void addNumbers(Field field, List<Integer> places) {
    for (int number = field.first(); number <= field.last(); number++) {
      places.add(number - 1);
    }
  }

  /** Returns the place of the first column of a field, of which the file must have all. */
  private static int place(String what, Field field, List<String> names, String file)
      throws InputException {
    if (!field.isName()) {
      if (field.last() > names.size()) {
        throw absent(what, field.text(), names, file);
      }
      return field.first() - 1;
    }
    String name = KeySpec.unescape(field.text());
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
    String all = String.join(", ", names);
    String shown = all.length() <= MOST_SHOWN ? all : all.substring(0, MOST_SHOWN) + "...";
    return new InputException(
        "%s has no %s '%s'; it has %d: %s%s"
            .formatted(file, what, column, names.size(), shown, hint(names)));
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
}
