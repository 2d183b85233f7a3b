package dev.holdfast.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// Places of members in the text of a request.
final class PlaceTest {
  private static final byte[] TEXT =
      "junk\n{\"a\":1,\n \"é\":[{\"x\":{\"deep\":true},\"y\": 5}]}"
          .getBytes(StandardCharsets.UTF_8);
  private static final int START = 5;

  private static ObjectNode request() {
    return Json.parseRequest(TEXT, START, TEXT.length - START);
  }

  @Test
  void areCountedFromWhereTheTextBegins() {
    ObjectNode request = request();

    assertThat(position(MemberLocation.ofName(request, "a")))
        .isEqualTo(new MemberLocation.Position(1, 2));
    assertThat(position(MemberLocation.ofValue(request, "a")))
        .isEqualTo(new MemberLocation.Position(1, 6));
    assertThat(position(MemberLocation.ofName(request, "é")))
        .isEqualTo(new MemberLocation.Position(2, 2));
  }

  @Test
  void areRememberedByCopies() {
    ObjectNode inner = (ObjectNode) request().deepCopy().at("/é/0");
    inner.put("new", 1);

    assertThat(position(MemberLocation.ofName(inner, "y")))
        .isEqualTo(new MemberLocation.Position(2, 27));
    assertThat(position(MemberLocation.ofValue(inner, "y")))
        .isEqualTo(new MemberLocation.Position(2, 32));
    assertThat(position(MemberLocation.ofName(inner, "new"))).isNull();
    assertThat(MemberLocation.ofName(Json.object(), "y")).isNull();
  }

  @Test
  void standInErrors() {
    MemberLocation place = MemberLocation.ofName(request(), "a");

    Refusal parsing = new Refusal(ErrorType.PARSING, "no").at(place).located(TEXT);
    Refusal other = new Refusal(ErrorType.X_CONTENT_PARSE, "no").at(place).located(TEXT);
    Refusal elsewhere = new Refusal(ErrorType.X_CONTENT_PARSE, "no").at(place).located(new byte[3]);

    assertThat(parsing.metadata()).containsEntry("line", 1).containsEntry("col", 2);
    assertThat(other.reason()).isEqualTo("[1:2] no");
    assertThat(elsewhere.reason()).isEqualTo("no");
  }

  @Test
  void requestsAreWholeObjects() {
    for (String text : new String[] {" ", "[]", "1", "{\"a\":1}}", "{} {}", "{\"a\":"}) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);

      assertThatThrownBy(() -> Json.parseRequest(bytes, 0, bytes.length))
          .as(text)
          .isInstanceOf(Refusal.class);
    }
  }

  private static MemberLocation.Position position(MemberLocation place) {
    assertThat(place).isNotNull();
    return place.position(TEXT);
  }
}
