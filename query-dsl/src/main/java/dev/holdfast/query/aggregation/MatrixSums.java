package dev.holdfast.query.aggregation;

import java.io.IOException;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/// Central moments of several numbers that come together, up to the fourth, and their joint second
/// ones: grown row by row and merged pairwise (Pébay, *Formulas for robust, one-pass parallel
/// computation of covariances and arbitrary-order statistical moments*).
final class MatrixSums {
  private final int size;
  private long count;
  private final double[] means;
  private final double[] seconds;
  private final double[] thirds;
  private final double[] fourths;
  private final double[] joint;

  MatrixSums(int size) {
    this.size = size;
    means = new double[size];
    seconds = new double[size];
    thirds = new double[size];
    fourths = new double[size];
    joint = new double[size * size];
  }

  long count() {
    return count;
  }

  double mean(int i) {
    return means[i];
  }

  double variance(int i) {
    return seconds[i] / (count - 1);
  }

  double skewness(int i) {
    return Math.sqrt((double) count) * thirds[i] / Math.pow(seconds[i], 1.5);
  }

  double kurtosis(int i) {
    return count * fourths[i] / (seconds[i] * seconds[i]);
  }

  double covariance(int i, int j) {
    return i == j ? variance(i) : joint[i * size + j] / (count - 1);
  }

  double correlation(int i, int j) {
    return i == j ? 1 : covariance(i, j) / (Math.sqrt(variance(i)) * Math.sqrt(variance(j)));
  }

  void add(double[] row) {
    double before = count;
    double n = ++count;
    for (int i = 0; i < size; i++) {
      double delta = row[i] - means[i];
      for (int j = 0; j < i; j++) {
        // The mean of j has moved already, that of i has not.
        double added = delta * (row[j] - means[j]);
        joint[i * size + j] += added;
        joint[j * size + i] += added;
      }
      double step = delta / n;
      double term = delta * step * before;
      means[i] += step;
      fourths[i] +=
          term * step * step * (n * n - 3 * n + 3)
              + 6 * step * step * seconds[i]
              - 4 * step * thirds[i];
      thirds[i] += term * step * (n - 2) - 3 * step * seconds[i];
      seconds[i] += term;
    }
  }

  MatrixSums copy() {
    return new MatrixSums(size).plus(this);
  }

  /// Adds the rows of another of the same size.
  MatrixSums plus(MatrixSums other) {
    if (other.count == 0) {
      return this;
    }
    double a = count;
    double b = other.count;
    double n = a + b;
    double[] deltas = new double[size];
    for (int i = 0; i < size; i++) {
      deltas[i] = other.means[i] - means[i];
    }
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        int at = i * size + j;
        joint[at] += other.joint[at] + (i == j ? 0 : deltas[i] * deltas[j] * a * b / n);
      }
    }
    for (int i = 0; i < size; i++) {
      double d = deltas[i];
      double d2 = d * d;
      fourths[i] +=
          other.fourths[i]
              + d2 * d2 * a * b * (a * a - a * b + b * b) / (n * n * n)
              + 6 * d2 * (a * a * other.seconds[i] + b * b * seconds[i]) / (n * n)
              + 4 * d * (a * other.thirds[i] - b * thirds[i]) / n;
      thirds[i] +=
          other.thirds[i]
              + d2 * d * a * b * (a - b) / (n * n)
              + 3 * d * (a * other.seconds[i] - b * seconds[i]) / n;
      seconds[i] += other.seconds[i] + d2 * a * b / n;
      means[i] = a == 0 ? other.means[i] : means[i] + d * b / n;
    }
    count += other.count;
    return this;
  }

  void write(DataOutput out) throws IOException {
    out.writeVInt(size);
    out.writeVLong(count);
    for (double[] part : parts()) {
      for (double number : part) {
        out.writeLong(Double.doubleToRawLongBits(number));
      }
    }
  }

  static MatrixSums read(DataInput in) throws IOException {
    MatrixSums sums = new MatrixSums(in.readVInt());
    sums.count = in.readVLong();
    for (double[] part : sums.parts()) {
      for (int i = 0; i < part.length; i++) {
        part[i] = Double.longBitsToDouble(in.readLong());
      }
    }
    return sums;
  }

  private double[][] parts() {
    return new double[][] {means, seconds, thirds, fourths, joint};
  }
}
