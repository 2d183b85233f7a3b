package dev.holdfast.blobcache.fetch;

import dev.holdfast.blobcache.blob.BlobInputs;
import dev.holdfast.blobcache.region.ReadRequest;
import dev.holdfast.blobcache.region.Region;
import dev.holdfast.blobcache.region.RegionKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decides which pages of a region a miss fetches: one contiguous range with the missed page in it,
/// that no other fetch under way has, and that reads a cached page again only where that saves a
/// request.
///
/// @param gapPages cached pages that are read again rather than a request be split
/// @param fetchPagesMax of one fetch
/// @param grain pages that are checked together: a fetch begins and ends where such a group does,
///   where it can, so that no byte is read only to be checked
public record FetchPlan(int gapPages, int fetchPagesMax, int grain) {

  /// @param flights fetches of this region under way; none has the missed page
  PendingFetch plan(
      RegionKey key, @Nullable Region region, List<PendingFetch> flights, ReadRequest request) {
    int page = page(request.position() - key.start());
    int unit = Math.clamp(Region.pagesUp(request.fetchBytes()), 1, fetchPagesMax);
    int wanted =
        Math.clamp(
            Region.pagesUp(request.position() % pageBytes() + request.wantedBytes()),
            1,
            fetchPagesMax);
    int first = page - page % (request.isForward() ? grain : unit);
    int end = Math.max(page + wanted, first + unit);
    if (request.isForward()) {
      int endOfFile =
          (int)
              Math.min(Region.PAGES, (request.end() - key.start() + pageBytes() - 1) / pageBytes());
      end = Math.min(end, Math.max(page + 1, endOfFile));
    }
    end = Math.min(up(end), Region.PAGES);
    for (PendingFetch flight : flights) {
      if (flight.firstPage > page) {
        end = Math.min(end, flight.firstPage);
      } else {
        first = Math.max(first, flight.endPage);
      }
    }
    return region == null
        ? new PendingFetch(key, first, end)
        : new PendingFetch(
            key,
            Math.max(first, down(firstMissing(region, first, page))),
            Math.min(end, up(endMissing(region, page, end))));
  }

  private int down(int page) {
    return page - page % grain;
  }

  private int up(int page) {
    return down(page + grain - 1);
  }

  /// Whether a flight that was not sent yet takes the planned pages along, because they lie near:
  /// one request then serves both.
  boolean joined(List<PendingFetch> underWay, PendingFetch planned) {
    for (PendingFetch flight : underWay) {
      int from = Math.min(flight.firstPage, planned.firstPage);
      int end = Math.max(flight.endPage, planned.endPage);
      boolean isFree =
          underWay.stream().noneMatch(other -> other != flight && other.overlaps(from, end));
      if (isFree && flight.extend(planned.firstPage, planned.endPage, gapPages, fetchPagesMax)) {
        return true;
      }
    }
    return false;
  }

  private int firstMissing(Region region, int first, int page) {
    int found = page;
    for (int at = page - 1; at >= first && found - at <= gapPages + 1; at--) {
      if (!region.holds(at)) {
        found = at;
      }
    }
    return found;
  }

  private int endMissing(Region region, int page, int end) {
    int found = page + 1;
    for (int at = page + 1; at < end && at - found <= gapPages; at++) {
      if (!region.holds(at)) {
        found = at + 1;
      }
    }
    return found;
  }

  public static int page(long offset) {
    return (int) (offset / pageBytes());
  }

  private static long pageBytes() {
    return BlobInputs.PAGE_BYTES;
  }
}
