package dev.holdfast.query.aggregation.metric;

import dev.holdfast.compoundcommit.call.WireInput;
import dev.holdfast.compoundcommit.call.WireOutput;
import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/// How numbers are distributed: the numbers themselves up to [#EXACT_PER_COMPRESSION] a unit of
/// compression, beyond it a t-digest (T. Dunning, "Computing extremely accurate quantiles using
/// t-digests", 2019), merged centroids that are finest at the ends.
public final class Quantiles {
  /// How many numbers a unit of compression keeps as they are.
  static final int EXACT_PER_COMPRESSION = 20;

  private final double compression;

  /// How many numbers, or centroids and numbers not merged yet, are held at most.
  private final int capacity;

  /// Whether [#means] are the numbers themselves; once they are not, they never are again.
  private boolean isExact = true;

  /// Numbers, or the means of centroids.
  private double[] means = new double[32];

  /// How many numbers each centroid stands for; not filled while [#isExact].
  private double[] weights = new double[0];

  private int size;

  /// How many, from the first on, are merged centroids in order; what follows was added since.
  private int merged;

  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;

  public Quantiles(double compression) {
    this.compression = Math.max(1, compression);
    this.capacity = (int) Math.min(1 << 20, Math.ceil(EXACT_PER_COMPRESSION * this.compression));
  }

  public void add(double number) {
    if (size == means.length && !grow()) {
      compress();
    }
    means[size] = number;
    if (!isExact) {
      weights[size] = 1;
    }
    size++;
    min = Math.min(min, number);
    max = Math.max(max, number);
  }

  public void addAll(Quantiles other) {
    for (int i = 0; i < other.size; i++) {
      if (other.isExact) {
        add(other.means[i]);
      } else {
        addCentroid(other.means[i], other.weights[i]);
      }
    }
    min = Math.min(min, other.min);
    max = Math.max(max, other.max);
  }

  private void addCentroid(double mean, double weight) {
    if (isExact) {
      compress();
    }
    if (size == means.length) {
      compress();
    }
    means[size] = mean;
    weights[size++] = weight;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /// The number below which a share of all lies; NaN without numbers.
  ///
  /// @param share from 0 to 1
  public double quantile(double share) {
    if (size == 0) {
      return Double.NaN;
    }
    sort();
    if (isExact) {
      double index = share * (size - 1);
      int low = Math.clamp((int) Math.floor(index), 0, size - 1);
      int high = Math.min(low + 1, size - 1);
      return means[low] + (index - low) * (means[high] - means[low]);
    }
    double target = share * total();
    double before = 0;
    double lastCentre = 0;
    double lastMean = min;
    for (int i = 0; i < size; i++) {
      double centre = before + weights[i] / 2;
      if (target <= centre) {
        double width = centre - lastCentre;
        return width == 0
            ? means[i]
            : lastMean + (target - lastCentre) / width * (means[i] - lastMean);
      }
      before += weights[i];
      lastCentre = centre;
      lastMean = means[i];
    }
    double width = before - lastCentre;
    return width == 0 ? max : lastMean + (target - lastCentre) / width * (max - lastMean);
  }

  /// The least number, or middle of numbers, that is at least a limit; NaN without numbers.
  double firstAtLeast(double limit) {
    sort();
    for (int i = 0; i < size; i++) {
      if (means[i] >= limit) {
        return means[i];
      }
    }
    return size == 0 ? Double.NaN : max;
  }

  /// The greatest number, or middle of numbers, that is at most a limit; NaN without numbers.
  double lastAtMost(double limit) {
    sort();
    for (int i = size - 1; i >= 0; i--) {
      if (means[i] <= limit) {
        return means[i];
      }
    }
    return size == 0 ? Double.NaN : min;
  }

  /// Which share of the numbers lies below one, half of those equal to it counted; NaN without
  /// numbers.
  public double share(double number) {
    if (size == 0) {
      return Double.NaN;
    }
    sort();
    if (number < min) {
      return 0;
    }
    if (number > max) {
      return 1;
    }
    if (isExact) {
      return exactShare(number);
    }
    double total = total();
    double below = 0;
    double equal = 0;
    double lastCentre = 0;
    double lastMean = min;
    for (int i = 0; i < size; i++) {
      double weight = weights[i];
      if (means[i] > number) {
        double centre = below + weight / 2;
        return equal > 0
            ? (below - equal / 2) / total
            : (lastCentre + (number - lastMean) / (means[i] - lastMean) * (centre - lastCentre))
                / total;
      }
      equal = means[i] == number ? equal + weight : 0;
      lastCentre = below + weight / 2;
      lastMean = means[i];
      below += weight;
    }
    return equal > 0 || max == lastMean
        ? (below - equal / 2) / total
        : (lastCentre + (number - lastMean) / (max - lastMean) * (below - lastCentre)) / total;
  }

  /// Each number stands for the span to the middles between it and its neighbours; the first and
  /// the last count half.
  private double exactShare(double number) {
    int less = 0;
    while (less < size && means[less] < number) {
      less++;
    }
    int equal = 0;
    while (less + equal < size && means[less + equal] == number) {
      equal++;
    }
    if (size == 1 || number == min || number == max) {
      return (less + equal / 2.0) / size;
    }
    int i = equal > 0 ? less + equal - 1 : less - 1;
    double right = (means[i + 1] - means[i]) / 2;
    if (number >= means[i] + right) {
      i++;
      right = i + 1 < size ? (means[i + 1] - means[i]) / 2 : (means[i] - means[i - 1]) / 2;
    }
    double left = i == 0 ? right : (means[i] - means[i - 1]) / 2;
    return (i + (number - (means[i] - left)) / (left + right)) / size;
  }

  /// The median of the distances from the median.
  double medianDeviation() {
    if (size == 0) {
      return Double.NaN;
    }
    double median = quantile(0.5);
    Quantiles distances = new Quantiles(compression);
    for (int i = 0; i < size; i++) {
      double distance = Math.abs(means[i] - median);
      if (isExact) {
        distances.add(distance);
      } else {
        distances.min = Math.min(distances.min, distance);
        distances.max = Math.max(distances.max, distance);
        distances.addCentroid(distance, weights[i]);
      }
    }
    return distances.quantile(0.5);
  }

  /// How many numbers were added.
  private double total() {
    if (isExact) {
      return size;
    }
    double total = 0;
    for (int i = 0; i < size; i++) {
      total += weights[i];
    }
    return total;
  }

  /// Makes room for more numbers as they are; false where they are to be merged instead.
  private boolean grow() {
    if (!isExact || size >= capacity) {
      return false;
    }
    means = Arrays.copyOf(means, Math.min(capacity, ArrayUtil.oversize(size + 1, Double.BYTES)));
    return true;
  }

  /// Before anything is read.
  private void sort() {
    if (isExact) {
      Arrays.sort(means, 0, size);
    } else if (size > merged) {
      compress();
    }
  }

  /// Merges sorted neighbours while they stay within one unit of the scale `k(q) = δ/2π asin(2q -
  /// 1)`.
  private void compress() {
    if (isExact) {
      isExact = false;
      means = Arrays.copyOf(means, Math.max(capacity, size + 1));
      weights = new double[means.length];
      Arrays.fill(weights, 0, size, 1);
    }
    sortPairs();
    double total = total();
    double before = 0;
    double limit = total * limit(0);
    int last = -1;
    for (int i = 0; i < size; i++) {
      double mean = means[i];
      double weight = weights[i];
      if (last >= 0 && before + weights[last] + weight <= limit) {
        double both = weights[last] + weight;
        means[last] += (mean - means[last]) * weight / both;
        weights[last] = both;
      } else {
        if (last >= 0) {
          before += weights[last];
          limit = total * limit(before / total);
        }
        last++;
        means[last] = mean;
        weights[last] = weight;
      }
    }
    size = last + 1;
    merged = size;
  }

  /// Up to which share a centroid may reach that begins at one: a unit further on the scale.
  private double limit(double share) {
    double k = compression / (2 * Math.PI) * Math.asin(2 * Math.min(1, share) - 1) + 1;
    double angle = k * 2 * Math.PI / compression;
    return angle >= Math.PI / 2 ? 1 : (Math.sin(angle) + 1) / 2;
  }

  /// Sorts means with their weights, by the cheapest way that what was added since allows.
  private void sortPairs() {
    boolean isPlain = true;
    for (int i = 0; isPlain && i < size; i++) {
      isPlain = weights[i] == 1;
    }
    if (isPlain) {
      Arrays.sort(means, 0, size);
      return;
    }
    int fresh = size - merged;
    boolean isAppended = fresh > 0 && merged > 0;
    for (int i = merged; isAppended && i < size; i++) {
      isAppended = weights[i] == 1;
    }
    if (isAppended) {
      mergeAppended(fresh);
      return;
    }
    Integer[] order = new Integer[size];
    Arrays.setAll(order, i -> i);
    double[] from = means;
    Arrays.sort(order, (a, b) -> Double.compare(from[a], from[b]));
    double[] sortedMeans = new double[means.length];
    double[] sortedWeights = new double[means.length];
    for (int i = 0; i < size; i++) {
      sortedMeans[i] = means[order[i]];
      sortedWeights[i] = weights[order[i]];
    }
    means = sortedMeans;
    weights = sortedWeights;
  }

  /// Sorted centroids followed by single numbers: sorts the numbers, then merges both.
  private void mergeAppended(int fresh) {
    Arrays.sort(means, merged, size);
    double[] numbers = Arrays.copyOfRange(means, merged, size);
    int centroid = merged - 1;
    int number = fresh - 1;
    for (int i = size - 1; number >= 0; i--) {
      if (centroid >= 0 && means[centroid] > numbers[number]) {
        means[i] = means[centroid];
        weights[i] = weights[centroid--];
      } else {
        means[i] = numbers[number--];
        weights[i] = 1;
      }
    }
  }

  public void write(WireOutput out) throws IOException {
    sort();
    out.writeByte((byte) (isExact ? 1 : 0));
    out.writeVInt(size);
    out.writeLong(Double.doubleToRawLongBits(min));
    out.writeLong(Double.doubleToRawLongBits(max));
    for (int i = 0; i < size; i++) {
      out.writeLong(Double.doubleToRawLongBits(means[i]));
      if (!isExact) {
        out.writeLong(Double.doubleToRawLongBits(weights[i]));
      }
    }
  }

  public static Quantiles read(WireInput in, double compression) throws IOException {
    Quantiles read = new Quantiles(compression);
    boolean isExact = in.readByte() == 1;
    int size = in.readLength();
    double min = Double.longBitsToDouble(in.readLong());
    double max = Double.longBitsToDouble(in.readLong());
    for (int i = 0; i < size; i++) {
      double mean = Double.longBitsToDouble(in.readLong());
      if (isExact) {
        read.add(mean);
      } else {
        read.addCentroid(mean, Double.longBitsToDouble(in.readLong()));
      }
    }
    read.min = Math.min(read.min, min);
    read.max = Math.max(read.max, max);
    return read;
  }
}
