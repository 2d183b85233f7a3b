package dev.holdfast.oracle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ContainerNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.oracle.dialect.ScriptEdits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/// Bodies that are JSON still, with something in them that should not be there.
final class JsonMutations {
  private static final int DEPTH_MAX = 3000;
  private static final int COPIES_MAX = 2000;

  private JsonMutations() {}

  static OracleRequest swapType(OracleRequest request, Random random) {
    return replaced(request, random, (_, chance) -> raw(Mutation.any(JsonOddities.VALUES, chance)));
  }

  static OracleRequest extremeNumber(OracleRequest request, Random random) {
    return replacedText(request, random, Mutation.any(JsonOddities.NUMBERS, random), true);
  }

  static OracleRequest extremeText(OracleRequest request, Random random) {
    String text =
        switch (random.nextInt(12)) {
          case 0 -> "\"" + "a".repeat(40_000) + "\"";
          case 1 -> "\"" + "(".repeat(5_000) + "\"";
          case 2 -> "\"" + "a* ".repeat(1_500) + "\"";
          default -> Mutation.any(JsonOddities.TEXTS, random);
        };
    return replacedText(request, random, text, false);
  }

  /// A value takes the place of another of the same body.
  static OracleRequest borrow(OracleRequest request, Random random) {
    return edited(
        request,
        random,
        root -> {
          List<Place> places = places(root);
          Place from = Mutation.any(places, random);
          Mutation.any(places, random).set(from.get().deepCopy());
          return root;
        });
  }

  static OracleRequest renameKey(OracleRequest request, Random random) {
    return rekeyed(request, random, _ -> Mutation.any(JsonOddities.KEYS, random));
  }

  static OracleRequest misspellKey(OracleRequest request, Random random) {
    return rekeyed(
        request, random, key -> key.isEmpty() ? "x" : key.substring(0, key.length() - 1) + "q");
  }

  static OracleRequest dropKey(OracleRequest request, Random random) {
    return edited(
        request,
        random,
        root -> {
          Place place = Mutation.any(places(root), random);
          if (place.parent() instanceof ObjectNode object) {
            object.remove(place.key());
          }
          return root;
        });
  }

  /// As text: a tree cannot hold it.
  static OracleRequest duplicateKey(OracleRequest request, Random random) {
    String text = request.text();
    int open = text.indexOf('{', random.nextInt(Math.max(1, text.length())));
    return open < 0
        ? request
        : with(
            request,
            text.substring(0, open + 1)
                + "\""
                + Mutation.any(JsonOddities.KEYS, random)
                + "\":"
                + Mutation.any(JsonOddities.VALUES, random)
                + (text.startsWith("}", open + 1) ? "" : ",")
                + text.substring(open + 1));
  }

  static OracleRequest deepen(OracleRequest request, Random random) {
    int depth = 1 + random.nextInt(DEPTH_MAX);
    return edited(
        request,
        random,
        root -> {
          Place place = Mutation.any(places(root), random);
          String inner = text(place.get());
          String open =
              Mutation.any(
                  List.of("[", "{\"a\":", "{\"bool\":{\"must\":", "{\"nested\":", "{\"filter\":"),
                  random);
          String close =
              open.equals("[") ? "]" : "}".repeat((int) open.chars().filter(c -> c == '{').count());
          return textOf(root, place, open.repeat(depth) + inner + close.repeat(depth));
        });
  }

  static OracleRequest multiply(OracleRequest request, Random random) {
    int copies = 2 + random.nextInt(COPIES_MAX);
    return edited(
        request,
        random,
        root -> {
          Place place = Mutation.any(places(root), random);
          String each = text(place.get());
          int times = Math.min(copies, Math.max(2, 300_000 / (each.length() + 1)));
          return textOf(root, place, "[" + (each + ",").repeat(times - 1) + each + "]");
        });
  }

  static OracleRequest page(OracleRequest request, Random random) {
    return edited(
        request,
        random,
        root -> {
          if (root instanceof ObjectNode object) {
            object.put(
                Mutation.any(
                    List.of("from", "size", "min_score", "terminate_after", "track_total_hits"),
                    random),
                Mutation.any(
                    List.of(
                        -1L, 0L, 9_999L, 10_000L, 10_001L, 1L << 31, Long.MAX_VALUE, 100_000_000L),
                    random));
          }
          return root;
        });
  }

  /// Characters of one text are doubled, dropped or replaced by marks that mean something.
  static OracleRequest editText(OracleRequest request, Random random) {
    return replaced(
        request,
        random,
        (value, chance) -> {
          StringBuilder text = new StringBuilder(value.asText("x"));
          for (int i = 0; i <= chance.nextInt(3); i++) {
            int at = chance.nextInt(text.length() + 1);
            text.insert(at, "*?~^\"()[]{}:/\\+-!|&.,;#@<>=% \u0000é日".charAt(chance.nextInt(32)));
          }
          return TextNode.valueOf(text.toString());
        });
  }

  /// The text of a script is broken, of a body that has one.
  static OracleRequest editScript(OracleRequest request, Random random) {
    return edited(
        request,
        random,
        root -> {
          List<Place> scripts =
              places(root).stream()
                  .filter(each -> each.get().isTextual() && isScript(each.key()))
                  .toList();
          if (!scripts.isEmpty()) {
            Place place = Mutation.any(scripts, random);
            place.set(TextNode.valueOf(ScriptEdits.edit(place.get().asText(), random)));
          }
          return root;
        });
  }

  private static boolean isScript(String member) {
    return member.endsWith("script") || member.equals("source") || member.equals("if");
  }

  /// A value inside a body.
  ///
  /// @param parent object or array that holds it
  /// @param key of an object's member
  /// @param index in an array
  private record Place(ContainerNode<?> parent, String key, int index) {
    JsonNode get() {
      return parent instanceof ObjectNode object ? object.get(key) : parent.get(index);
    }

    void set(JsonNode value) {
      switch (parent) {
        case ObjectNode object -> object.set(key, value);
        case ArrayNode array -> array.set(index, value);
        default -> {}
      }
    }
  }

  private interface Edit {
    /// @return the new root, or a text that is not a tree
    Object apply(JsonNode root);
  }

  private static List<Place> places(JsonNode root) {
    List<Place> places = new ArrayList<>();
    collect(root, places);
    return places;
  }

  private static void collect(JsonNode node, List<Place> into) {
    switch (node) {
      case ObjectNode object -> {
        for (Map.Entry<String, JsonNode> member : object.properties()) {
          into.add(new Place(object, member.getKey(), -1));
          collect(member.getValue(), into);
        }
      }
      case ArrayNode array -> {
        for (int i = 0; i < array.size(); i++) {
          into.add(new Place(array, "", i));
          collect(array.get(i), into);
        }
      }
      default -> {}
    }
  }

  /// Not `toString`, which knows less depth.
  private static String text(JsonNode node) {
    try {
      return OracleAnswer.JSON.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode raw(String json) {
    try {
      return OracleAnswer.JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static OracleRequest replaced(
      OracleRequest request, Random random, BiFunction<JsonNode, Random, JsonNode> change) {
    return edited(
        request,
        random,
        root -> {
          Place place = Mutation.any(places(root), random);
          place.set(change.apply(place.get(), random));
          return root;
        });
  }

  private static OracleRequest replacedText(
      OracleRequest request, Random random, String json, boolean wantsNumber) {
    return edited(
        request,
        random,
        root -> {
          List<Place> places = places(root);
          List<Place> fitting =
              places.stream()
                  .filter(each -> wantsNumber ? each.get().isNumber() : each.get().isTextual())
                  .toList();
          return textOf(root, Mutation.any(fitting.isEmpty() ? places : fitting, random), json);
        });
  }

  private static OracleRequest rekeyed(
      OracleRequest request, Random random, UnaryOperator<String> change) {
    return edited(
        request,
        random,
        root -> {
          Place place = Mutation.any(places(root), random);
          if (place.parent() instanceof ObjectNode object) {
            JsonNode value = object.remove(place.key());
            object.set(change.apply(place.key()), value);
          }
          return root;
        });
  }

  /// The root with a text in one place that no tree may be able to hold.
  private static String textOf(JsonNode root, Place place, String json) {
    String mark = "\u0001mark\u0001";
    place.set(OracleAnswer.JSON.getNodeFactory().textNode(mark));
    return text(root).replace("\"\\u0001mark\\u0001\"", json);
  }

  /// Changes one of the lines of a body.
  private static OracleRequest edited(OracleRequest request, Random random, Edit edit) {
    String[] lines = request.text().split("\n", -1);
    int line = random.nextInt(lines.length);
    try {
      JsonNode root = OracleAnswer.JSON.readTree(lines[line]);
      if (root == null || root.isEmpty()) {
        return request;
      }
      Object edited = edit.apply(root);
      lines[line] = edited instanceof JsonNode tree ? text(tree) : edited.toString();
    } catch (IOException notJson) {
      return request;
    }
    String text = String.join("\n", lines);
    return with(request, request.contentType().contains("ndjson") ? text + "\n" : text);
  }

  private static OracleRequest with(OracleRequest request, String body) {
    return new OracleRequest(
        request.method(),
        request.path(),
        request.contentType(),
        body.getBytes(StandardCharsets.UTF_8));
  }
}
