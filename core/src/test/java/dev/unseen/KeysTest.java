package dev.unseen;

import static dev.unseen.testing.Generators.ints;
import static dev.unseen.testing.Generators.strings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import dev.unseen.testing.Choices;
import dev.unseen.testing.Property;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class KeysTest {
  private static final Hash64 HASH = HashKind.XXH3.create(11);

  record Click(String user, String page, long time) {}

  @Property
  void parts_do_not_flow_into_each_other(Choices choices) {
    String a = choices.draw("a", strings());
    String b = choices.draw("b", strings());
    int cut = choices.draw("cut", ints());
    String whole = a + b;
    int at = Math.floorMod(cut, whole.length() + 1);
    Key<Click> key = Keys.composite(Keys.utf8(Click::user), Keys.utf8(Click::page));
    Click one = new Click(a, b, 0);
    Click other = new Click(whole.substring(0, at), whole.substring(at), 0);
    boolean same = one.equals(other);
    assertThat(key.hash(one, HASH) == key.hash(other, HASH)).isEqualTo(same);
  }

  @Test
  void every_part_of_a_composite_key_counts_and_its_place_too() {
    Key<Click> key =
        Keys.composite(Keys.utf8(Click::user), Keys.utf8(Click::page), Keys.longs(Click::time));
    long hash = key.hash(new Click("a", "b", 1), HASH);
    assertThat(key.hash(new Click("a", "b", 1), HASH)).isEqualTo(hash);
    assertThat(key.hash(new Click("a", "b", 2), HASH)).isNotEqualTo(hash);
    assertThat(key.hash(new Click("b", "a", 1), HASH)).isNotEqualTo(hash);
    Key<Click> pair = Keys.composite(Keys.utf8(Click::user), Keys.utf8(Click::page));
    Key<Click> single = Keys.composite(Keys.utf8(Click::user));
    assertThat(pair.hash(new Click("a", "", 0), HASH))
        .isNotEqualTo(single.hash(new Click("a", "", 0), HASH));
  }

  /** Frozen, as the hash is. */
  @Test
  void composite_keys_never_change() {
    Key<Click> key = Keys.composite(Keys.utf8(Click::user), Keys.longs(Click::time));
    assertThat(key.hash(new Click("a", "b", 1), HASH)).isEqualTo(2968987943944683359L);
    assertThat(Keys.uuid().hash(new UUID(1, 2), HASH)).isEqualTo(5265301604115528980L);
  }

  @Test
  void text_and_its_bytes_are_the_same_key_and_so_are_ints_and_longs() {
    String text = "Gr\u00fc\u00dfe";
    assertThat(Keys.utf8().hash(text, HASH))
        .isEqualTo(Keys.bytes().hash(text.getBytes(StandardCharsets.UTF_8), HASH));
    assertThat(Keys.ints().hash(-7, HASH)).isEqualTo(Keys.longs().hash(-7L, HASH));
    assertThat(Keys.ints(String::length).hash("abc", HASH))
        .isEqualTo(Keys.longs(String::length).hash("abc", HASH));
  }

  @Test
  void both_halves_of_a_uuid_count() {
    UUID uuid = new UUID(1, 2);
    assertThat(Keys.uuid().hash(uuid, HASH))
        .isEqualTo(Keys.uuid().hash(new UUID(1, 2), HASH))
        .isNotEqualTo(Keys.uuid().hash(new UUID(1, 3), HASH))
        .isNotEqualTo(Keys.uuid().hash(new UUID(2, 1), HASH));
  }

  @Test
  void a_missing_key_is_told_with_its_record() {
    Click click = new Click(null, "home", 3);
    assertThatThrownBy(() -> Keys.utf8(Click::user).hash(click, HASH))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("key is null in a record of dev.unseen.KeysTest$Click")
        .hasMessageNotContaining("home");
    assertThatThrownBy(() -> Keys.utf8().hash(null, HASH)).hasMessageContaining("record is null");
    assertThatThrownBy(() -> Keys.longs().hash(null, HASH)).hasMessageContaining("record is null");
    assertThatThrownBy(() -> Keys.uuid().hash(null, HASH)).hasMessageContaining("record is null");
    assertThatThrownBy(Keys::composite)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("composite key has 0 parts; it must have at least 1");
  }

  @Test
  void the_key_of_a_type_is_the_usual_one() {
    UUID uuid = new UUID(1, 2);
    Instant instant = Instant.ofEpochSecond(3, 4);
    assertThat(Keys.ofType(String.class).hash("a", HASH)).isEqualTo(Keys.utf8().hash("a", HASH));
    assertThat(Keys.ofType(Integer.class).hash(7, HASH)).isEqualTo(Keys.longs().hash(7L, HASH));
    assertThat(Keys.ofType(byte[].class).hash(new byte[] {'a'}, HASH))
        .isEqualTo(Keys.utf8().hash("a", HASH));
    assertThat(Keys.ofType(UUID.class).hash(uuid, HASH)).isEqualTo(Keys.uuid().hash(uuid, HASH));
    assertThat(Keys.ofType(Instant.class).hash(instant, HASH))
        .isEqualTo(Keys.instant((Instant same) -> same).hash(instant, HASH));
    assertThat(Keys.ofType(LateRecords.class).hash(LateRecords.FAIL, HASH))
        .isEqualTo(Keys.utf8().hash("FAIL", HASH));
    assertThatThrownBy(() -> Keys.ofType(Click.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Click, which has no hash here; return a String");
  }
}
