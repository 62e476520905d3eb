package dev.unseen.io;

import dev.unseen.io.KeySpec.Header;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The columns of a key, by name or number, until a header tells where they are. */
final class Columns {
  private static final Pattern NUMBERS = Pattern.compile("(\\d+)(?:-(\\d+))?");
  private static final int MAX_NUMBER = 99_999;
  private static final int MAX_DIGITS = 5;

  private final KeySpec key;
  private final boolean header;

  /** Refuses numbers out of range, and names where there is no header. */
  Columns(KeySpec key) {
    this.key = key;
    String name = null;
    for (String field : key.fields()) {
      Matcher numbers = NUMBERS.matcher(field);
      if (!numbers.matches()) {
        name = field;
      } else if (first(numbers) > last(numbers)) {
        throw new IllegalArgumentException(
            "columns '%s' must go up, as in %d-%d".formatted(field, last(numbers), first(numbers)));
      }
    }
    if (name != null && key.header() == Header.ABSENT) {
      throw new IllegalArgumentException(
          "column '%s' is a name, which needs a header; give its number instead".formatted(name));
    }
    header = name != null || key.header() == Header.PRESENT;
  }

  /** Whether the first record is a header. */
  boolean haveHeader() {
    return header;
  }

  /** Where the columns are, from 0 and each once, in a file without a header. */
  List<Integer> places() {
    List<Integer> places = new ArrayList<>();
    for (String field : key.fields()) {
      Matcher numbers = NUMBERS.matcher(field);
      if (numbers.matches()) {
        addRange(numbers, places);
      }
    }
    return places.stream().distinct().toList();
  }

  /** Where the columns are, from 0 and each once, in a file with this header. */
  List<Integer> places(List<String> names, String file) throws InputException {
    List<Integer> places = new ArrayList<>();
    for (String field : key.fields()) {
      Matcher numbers = NUMBERS.matcher(field);
      if (numbers.matches()) {
        addRange(numbers, places);
        if (last(numbers) > names.size()) {
          throw absent(field, names, file);
        }
      } else {
        places.add(place(KeySpec.unescape(field), names, file));
      }
    }
    return places.stream().distinct().toList();
  }

  private static int place(String name, List<String> names, String file) throws InputException {
    int place = names.indexOf(name);
    if (place < 0) {
      throw absent(name, names, file);
    }
    if (Collections.frequency(names, name) > 1) {
      throw new InputException(
          "%s has more than one column '%s': %d and %d; give the number instead"
              .formatted(file, name, place + 1, names.lastIndexOf(name) + 1));
    }
    return place;
  }

  private static InputException absent(String column, List<String> names, String file) {
    return new InputException(
        names.isEmpty()
            ? "%s is empty; a header with column '%s' must be its first line"
                .formatted(file, column)
            : "%s has no column '%s'; it has %d: %s"
                .formatted(file, column, names.size(), String.join(", ", names)));
  }

  private static void addRange(Matcher numbers, List<Integer> places) {
    for (int number = first(numbers); number <= last(numbers); number++) {
      places.add(number - 1);
    }
  }

  private static int first(Matcher numbers) {
    return number(numbers.group(1));
  }

  private static int last(Matcher numbers) {
    return numbers.group(2) == null ? first(numbers) : number(numbers.group(2));
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
