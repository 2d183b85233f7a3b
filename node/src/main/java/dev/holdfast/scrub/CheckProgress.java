package dev.holdfast.scrub;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.world.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/// How far a check of a store has come, kept in a file so that it can go on another time.
///
/// @param file where it is kept; null for nowhere
/// @param after the last key that was passed
/// @param objects checked
/// @param bytes of them
/// @param damaged objects
/// @param unknown objects of no kind that can be checked
public record CheckProgress(
    @Nullable Path file, String after, long objects, long bytes, long damaged, long unknown) {

  /// What the file says; the beginning when there is none.
  ///
  /// @throws IOException when it is no such file
  public static CheckProgress read(@Nullable Path file) throws IOException {
    if (file == null || !Files.exists(file)) {
      return new CheckProgress(file, "", 0, 0, 0, 0);
    }
    JsonNode json;
    try {
      json = Json.parse(Files.readAllBytes(file));
    } catch (RuntimeException e) {
      throw new IOException("not the progress of a check [file=" + file + "]", e);
    }
    return new CheckProgress(
        file,
        json.path("after").asText(),
        json.path("objects").asLong(),
        json.path("bytes").asLong(),
        json.path("damaged").asLong(),
        json.path("unknown").asLong());
  }

  public CheckProgress with(long length, ObjectCheck.Checked result) {
    return new CheckProgress(
        file,
        after,
        objects + 1,
        bytes + length,
        damaged + (result.damages().isEmpty() ? 0 : 1),
        unknown + (result.isKnown() ? 0 : 1));
  }

  public CheckProgress after(String key) {
    return new CheckProgress(file, key, objects, bytes, damaged, unknown);
  }

  public void save() throws IOException {
    if (file != null) {
      Path next = file.resolveSibling(file.getFileName() + ".next");
      Files.write(
          next,
          Json.bytes(
              Json.object()
                  .put("after", after)
                  .put("objects", objects)
                  .put("bytes", bytes)
                  .put("damaged", damaged)
                  .put("unknown", unknown)));
      var _ =
          Files.move(
              next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  public void delete() throws IOException {
    if (file != null) {
      boolean _ = Files.deleteIfExists(file);
    }
  }
}
