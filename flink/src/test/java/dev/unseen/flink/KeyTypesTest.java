package dev.unseen.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.unseen.Key;
import dev.unseen.Keys;
import dev.unseen.Memory;
import dev.unseen.hash.Hash64;
import dev.unseen.hash.HashKind;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.formats.avro.typeutils.AvroTypeInfo;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Keys of several fields. */
@Tag("both-versions")
class KeyTypesTest {
  private static final Hash64 HASH = HashKind.XXH3.create(0);

  /** A POJO, as Flink sees it. */
  public static class Order {
    public String shop;
    public long number;
    public Integer part;

    public Order() {}

    Order(String shop, long number, Integer part) {
      this.shop = shop;
      this.number = number;
      this.part = part;
    }
  }

  /** What Avro generates, as far as Flink needs it. */
  public static class Visit extends SpecificRecordBase {
    private static final long serialVersionUID = 1;

    public static final Schema SCHEMA$ =
        SchemaBuilder.record("Visit")
            .namespace(KeyTypesTest.class.getName())
            .fields()
            .requiredString("page")
            .requiredLong("user")
            .endRecord();

    private CharSequence page;
    private long user;

    public CharSequence getPage() {
      return page;
    }

    public void setPage(CharSequence value) {
      page = value;
    }

    public long getUser() {
      return user;
    }

    public void setUser(long value) {
      user = value;
    }

    @Override
    public Schema getSchema() {
      return SCHEMA$;
    }

    @Override
    public Object get(int field) {
      return field == 0 ? page : Long.valueOf(user);
    }

    @Override
    public void put(int field, Object value) {
      if (field == 0) {
        page = (CharSequence) value;
      } else {
        user = (Long) value;
      }
    }
  }

  private static <K> void assertDifferent(TypeInformation<K> type, List<K> keys) {
    Key<K> key = KeyTypes.keyFor(type);
    List<Long> hashes = new ArrayList<>();
    keys.forEach(each -> hashes.add(key.hash(each, HASH)));
    assertThat(hashes).doesNotHaveDuplicates();
  }

  @Test
  void fields_of_a_row_can_be_null() {
    TypeInformation<Row> type = Types.ROW(Types.STRING, Types.LONG);
    assertDifferent(
        type,
        List.of(Row.of("a", 1L), Row.of("a", 2L), Row.of("a", null), Row.of(null, 1L), new Row(2)));
    assertThat(KeyTypes.keyFor(type).form().encoding())
        .isEqualTo("composite(nullable(bytes),nullable(number))");
  }

  @Test
  void a_row_with_names_has_the_key_of_one_with_positions() {
    Key<Row> key =
        KeyTypes.keyFor(Types.ROW_NAMED(new String[] {"shop", "number"}, Types.STRING, Types.LONG));
    Row named = Row.withNames();
    named.setField("number", 1L);
    named.setField("shop", "a");
    assertThat(key.hash(named, HASH)).isEqualTo(key.hash(Row.of("a", 1L), HASH));
  }

  @Test
  void fields_of_a_pojo_can_be_null() {
    TypeInformation<Order> type = TypeInformation.of(Order.class);
    assertDifferent(
        type,
        List.of(
            new Order("a", 1, 1),
            new Order("a", 1, null),
            new Order("a", 1, 0),
            new Order(null, 1, 1),
            new Order("a", 2, 1)));
    assertThat(KeyTypes.keyFor(type).form().encoding())
        .as("number, part and shop")
        .isEqualTo("composite(number,nullable(number),nullable(bytes))");
  }

  @Test
  void a_specific_record_of_avro_is_a_pojo() {
    Visit visit = new Visit();
    visit.put(0, new org.apache.avro.util.Utf8("index"));
    visit.put(1, 7L);
    Visit same = new Visit();
    same.put(0, "index");
    same.put(1, 7L);
    Key<Visit> key = KeyTypes.keyFor(new AvroTypeInfo<>(Visit.class));
    assertThat(key.hash(visit, HASH)).isEqualTo(key.hash(same, HASH));
    same.put(1, 8L);
    assertThat(key.hash(visit, HASH)).isNotEqualTo(key.hash(same, HASH));
  }

  @Test
  void a_tuple_has_the_composite_key_of_the_library() {
    Key<Tuple2<String, Long>> key = KeyTypes.keyFor(Types.TUPLE(Types.STRING, Types.LONG));
    Key<Tuple2<String, Long>> library =
        Keys.composite(Keys.utf8(pair -> pair.f0), Keys.longs(pair -> pair.f1));
    Tuple2<String, Long> pair = Tuple2.of("a", 1L);
    assertThat(key.hash(pair, HASH)).isEqualTo(library.hash(pair, HASH));
    assertThat(key.form()).isEqualTo(library.form());
  }

  @Test
  void a_field_of_a_tuple_cannot_be_null() {
    Key<Tuple2<String, Long>> key = KeyTypes.keyFor(Types.TUPLE(Types.STRING, Types.LONG));
    assertThatThrownBy(() -> key.hash(Tuple2.of("a", null), HASH))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("field f1 of the key is null")
        .hasMessageContaining("Types.ROW");
  }

  @Test
  void a_field_without_a_hash_is_named() {
    assertThatThrownBy(() -> KeyTypes.keyFor(Types.ROW(Types.STRING, Types.DOUBLE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("field f1 of org.apache.flink.types.Row: the key is of type")
        .hasMessageContaining("java.lang.Double");
  }

  @Test
  void a_job_has_keys_of_rows_and_of_pojos() throws Exception {
    TestCluster cluster = TestCluster.shared();
    DataStream<Order> orders =
        TestCluster.environment(new Configuration(), 2)
            .fromData(new Order("a", 1, null), new Order("a", 1, 2), new Order("a", 1, null));
    assertThat(
            cluster.collect(
                UnseenDeduplication.of((Order order) -> order)
                    .memory(Memory.MiB(1))
                    .applyTo(orders)
                    .map(order -> order.part == null ? -1 : order.part)
                    .returns(Types.INT)))
        .containsExactlyInAnyOrder(-1, 2);
    DataStream<Long> numbers =
        TestCluster.environment(new Configuration(), 2).fromData(1L, 2L, 3L, 4L);
    assertThat(
            cluster.collect(
                UnseenDeduplication.of((Long number) -> Row.of(number % 2 == 0 ? null : 1, "x"))
                    .keyType(Types.ROW(Types.INT, Types.STRING))
                    .memory(Memory.MiB(1))
                    .applyTo(numbers)))
        .hasSize(2);
  }
}
