package dev.unseen.flink;

import static dev.unseen.Memory.MiB;

import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;

public class ClickTable {
  public static void main(String[] args) {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    StreamTableEnvironment tables = StreamTableEnvironment.create(env);
    tables.executeSql(
        "CREATE TEMPORARY VIEW clicks AS SELECT * FROM"
            + " (VALUES ('a', 1), ('b', 2), ('a', 3)) AS t (id, price)"); // in place of your table
    DataStream<Row> clicks = tables.toDataStream(tables.from("clicks"));
    DataStream<Row> once =
        UnseenDeduplication.of((Row click) -> click.<String>getFieldAs("id"))
            .memory(MiB(64))
            .applyTo(clicks);
    tables.createTemporaryView("clicks_once", once);
    tables.executeSql("SELECT COUNT(*) AS clicks, SUM(price) AS paid FROM clicks_once").print();
  }
}
