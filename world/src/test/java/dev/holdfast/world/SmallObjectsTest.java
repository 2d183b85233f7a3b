package dev.holdfast.world;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Objects that were read are what Jackson's own are, whatever is done to them.
final class SmallObjectsTest {
  @Test
  void areWhatObjectsAre() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      ObjectNode own = seed % 2 == 0 ? Json.parseObject("{}") : request("{}");
      ObjectNode known = JsonNodeFactory.instance.objectNode();
      for (int step = 0; step < 60; step++) {
        String name = "n" + random.nextInt(seed % 20 + 1);
        change(random.nextInt(8), own, name, step);
        change(last, known, name, step);
        assertThat(own.toString()).as("seed %d step %d", seed, step).isEqualTo(known.toString());
        assertThat(own).isEqualTo(known).hasSameHashCodeAs(known);
        assertThat(known).isEqualTo(own);
        assertThat(own.size()).isEqualTo(known.size());
        assertThat(own.get(name)).isEqualTo(known.get(name));
        assertThat(own.has(name)).isEqualTo(known.has(name));
        assertThat(own.deepCopy()).isEqualTo(known);
        assertThat(names(own)).isEqualTo(names(known));
      }
    }
  }

  private int last;

  private void change(int how, ObjectNode object, String name, int value) {
    last = how;
    switch (how) {
      case 0, 1, 2 -> object.put(name, value);
      case 3 -> object.remove(name);
      case 4 -> object.set(name, Json.parse("{\"a\": {}, \"b\": [{}]}"));
      case 5 -> {
        Iterator<Map.Entry<String, JsonNode>> members = object.properties().iterator();
        if (members.hasNext()) {
          members.next();
          members.remove();
        }
      }
      case 6 -> {
        for (Map.Entry<String, JsonNode> member : object.properties()) {
          member.setValue(object.numberNode(value));
        }
      }
      default -> {
        if (value % 20 == 0) {
          object.removeAll();
        } else {
          object.retain(List.of(name, "n1", "n2", "n3", "n4", "n5"));
        }
      }
    }
  }

  private static List<String> names(ObjectNode object) {
    return object.propertyStream().map(Map.Entry::getKey).toList();
  }

  private static ObjectNode request(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Json.parseRequest(bytes, 0, bytes.length);
  }
}
