package dev.holdfast.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.holdfast.world.ErrorType;
import dev.holdfast.world.Refusal;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WellKnownTextTest {
  private static String collections(int depth, String inner) {
    return "GEOMETRYCOLLECTION(".repeat(depth) + inner + ")".repeat(depth);
  }

  @Test
  void collectionsLieInCollectionsToADepth() {
    String deep = collections(WellKnownText.DEPTH_MAX, "MULTIPOLYGON(((0 0, 1 0, 1 1, 0 1, 0 0)))");

    assertThat(GeoShapes.read(TextNode.valueOf(deep))).hasSize(1);
    assertThat(ShapeText.toJson(deep).path("type").asText()).isEqualTo("GeometryCollection");
  }

  @Test
  void whatLiesDeeperIsRefusedBeforeItIsRead() {
    String deeper = collections(100_000, "POINT(0 0)");

    assertThatThrownBy(() -> GeoShapes.read(TextNode.valueOf(deeper)))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> {
              assertThat(refusal.type()).isEqualTo(ErrorType.PARSE);
              assertThat(refusal.reason()).contains("exceeds the maximum depth of [20]");
            });
    assertThatThrownBy(() -> ShapeText.toJson(deeper)).isInstanceOf(Refusal.class);
  }

  @Test
  void whatIsEmptyHasNoPlaces() {
    for (String empty :
        List.of("POINT EMPTY", "MULTIPOLYGON (EMPTY)", "GEOMETRYCOLLECTION (LINESTRING EMPTY)")) {
      assertThat(GeoShapes.read(TextNode.valueOf(empty))).as(empty).isEmpty();
      assertThat(GeoShapes.read(ShapeText.toJson(empty))).as(empty).isEmpty();
    }
    assertThat(ShapeText.toJson("POINT EMPTY"))
        .hasToString("{\"type\":\"GeometryCollection\",\"geometries\":[]}");
  }
}
