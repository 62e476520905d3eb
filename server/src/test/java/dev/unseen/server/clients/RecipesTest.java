package dev.unseen.server.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.unseen.server.RawClient;
import dev.unseen.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The programs of docs/recipes.md. */
class RecipesTest {
  /** Returns the block of Python below a heading. */
  private static String python(String heading) throws IOException {
    String page = Files.readString(Path.of("..", "docs", "recipes.md"), UTF_8);
    int below = page.indexOf("\n## " + heading);
    int begin = page.indexOf("```python\n", below) + "```python\n".length();
    assertThat(below).isPositive();
    return page.substring(begin, page.indexOf("```", begin));
  }

  private static String run(String name, String program) throws Exception {
    String python = Programs.anyPython();
    assumeTrue(python != null, "redis-py is not here and cannot be fetched");
    try (TestServer server = new TestServer()) {
      Path script = Programs.HOME.resolve(name);
      Files.writeString(script, program.replace("7379", Integer.toString(server.port())), UTF_8);
      return Programs.run(Programs.HOME, python, script.toString());
    }
  }

  @Test
  void a_webhook_is_processed_once_and_again_if_it_failed() throws Exception {
    assertThat(run("webhooks.py", python("Webhooks that arrive twice")))
        .isEqualTo("0: 500\n200\n200");
  }

  @Test
  void an_item_of_scrapy_passes_once() throws Exception {
    String use =
        """

        class Spider:
            name = "shop"


        pipeline = OncePipeline()
        pipeline.open_spider(Spider())
        for sku in ("a", "b", "a"):
            try:
                print(pipeline.process_item({"sku": sku}, Spider())["sku"])
            except DropItem as dropped:
                print(dropped)
        """;
    assertThat(run("items.py", python("Scrapy: each item once") + use))
        .isEqualTo("0: a\nb\nseen within 30 days: shop:a");
  }

  @Test
  void the_command_of_redpanda_connect_is_answered_as_redis_does() throws IOException {
    try (TestServer server = new TestServer();
        RawClient client = server.client()) {
      assertThat(client.say("SET id value EX 86400 NX")).isEqualTo("+OK");
      assertThat(client.say("SET id value EX 86400 NX")).isEqualTo("nil");
    }
  }
}
