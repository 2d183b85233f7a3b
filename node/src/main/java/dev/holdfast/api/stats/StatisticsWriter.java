package dev.holdfast.api.stats;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.http.TimeValue;
import dev.holdfast.world.ByteSize;
import java.io.IOException;
import java.util.List;

/// Writes sizes and times as Elasticsearch does: a number with its unit in the name, and with
/// `human` a form for people beside it.
public final class StatisticsWriter {
  private final JsonGenerator out;
  private final boolean human;

  public StatisticsWriter(JsonGenerator out, boolean human) {
    this.out = out;
    this.human = human;
  }

  public JsonGenerator out() {
    return out;
  }

  /// `name_in_bytes`, and `name` for people.
  public void bytes(String name, long bytes) throws IOException {
    if (human) {
      out.writeStringField(name, new ByteSize(Math.max(0, bytes)).toString());
    }
    out.writeNumberField(name + "_in_bytes", bytes);
  }

  /// `name_in_millis`, and `name` for people.
  public void millis(String name, long millis) throws IOException {
    if (human) {
      out.writeStringField(name, TimeValue.text(millis));
    }
    out.writeNumberField(name + "_in_millis", millis);
  }

  /// `name_in_bytes` and `name`, always both.
  public void sized(String name, long bytes) throws IOException {
    out.writeNumberField(name + "_in_bytes", bytes);
    out.writeStringField(name, new ByteSize(Math.max(0, bytes)).toString());
  }

  public void decimal(String name, double value) throws IOException {
    out.writeNumberField(name, value);
  }

  public void number(String name, long value) throws IOException {
    out.writeNumberField(name, value);
  }

  public void text(String name, String value) throws IOException {
    out.writeStringField(name, value);
  }

  public void flag(String name, boolean value) throws IOException {
    out.writeBooleanField(name, value);
  }

  public void strings(String name, List<String> values) throws IOException {
    out.writeArrayFieldStart(name);
    for (String value : values) {
      out.writeString(value);
    }
    out.writeEndArray();
  }

  /// An object member; `inside` writes its members.
  public void object(String name, Inside inside) throws IOException {
    out.writeObjectFieldStart(name);
    inside.write();
    out.writeEndObject();
  }

  /// A list of one object.
  public void objects(String name, Inside inside) throws IOException {
    out.writeArrayFieldStart(name);
    out.writeStartObject();
    inside.write();
    out.writeEndObject();
    out.writeEndArray();
  }

  /// Writes members.
  public interface Inside {
    void write() throws IOException;
  }
}
