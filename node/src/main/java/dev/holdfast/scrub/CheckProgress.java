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
/// @param store that is checked, by name
/// @param after the last key that was passed
/// @param objects checked
/// @param bytes of them
/// @param damaged objects
/// @param unknown objects of no kind that can be checked
public record CheckProgress(
    @Nullable Path file,
    String store,
    String after,
    long objects,
    long bytes,
    long damaged,
    long unknown) {

  /// What the file says; the beginning when there is none.
  ///
  /// @param store that is to be checked, by name
  /// @throws IOException when it is no such file, which would be deleted at the end, or of another
  ///   store, whose keys say nothing of this one
  public static CheckProgress read(@Nullable Path file, String store) throws IOException {
    if (file == null || !Files.exists(file)) {
      return new CheckProgress(file, store, "", 0, 0, 0, 0);
    }
    JsonNode json;
    try {
      json = Json.parse(Files.readAllBytes(file));
    } catch (RuntimeException e) {
      throw new IOException("not the progress of a check [file=" + file + "]", e);
    }
    if (!json.path("after").isTextual() || !json.path("objects").isIntegralNumber()) {
      throw new IOException("not the progress of a check [file=" + file + "]");
    }
    // Files of earlier builds do not name it.
    String of = json.path("store").asText(store);
    if (!of.equals(store)) {
      throw new IOException(
          "the progress is that of another store [file=" + file + ", store=" + of + "]");
    }
    return new CheckProgress(
        file,
        store,
        json.path("after").asText(),
        json.path("objects").asLong(),
        json.path("bytes").asLong(),
        json.path("damaged").asLong(),
        json.path("unknown").asLong());
  }

  public CheckProgress with(long length, ObjectCheck.Checked result) {
    return new CheckProgress(
        file,
        store,
        after,
        objects + 1,
        bytes + length,
        damaged + (result.damages().isEmpty() ? 0 : 1),
        unknown + (result.isKnown() ? 0 : 1));
  }

  public CheckProgress after(String key) {
    return new CheckProgress(file, store, key, objects, bytes, damaged, unknown);
  }

  public void save() throws IOException {
    if (file != null) {
      Path next = file.resolveSibling(file.getFileName() + ".next");
      Files.write(
          next,
          Json.bytes(
              Json.object()
                  .put("store", store)
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
