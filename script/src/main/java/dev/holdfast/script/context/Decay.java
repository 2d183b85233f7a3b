package dev.holdfast.script.context;

/// How a score falls with the distance from an origin.
enum Decay {
  LINEAR {
    @Override
    double factor(double scale, double decay) {
      return scale / (1 - decay);
    }

    @Override
    double at(double distance, double factor) {
      return Math.max(0, (factor - distance) / factor);
    }
  },
  EXP {
    @Override
    double factor(double scale, double decay) {
      return Math.log(decay) / scale;
    }

    @Override
    double at(double distance, double factor) {
      return Math.exp(factor * distance);
    }
  },
  GAUSS {
    @Override
    double factor(double scale, double decay) {
      return 0.5 * scale * scale / Math.log(decay);
    }

    @Override
    double at(double distance, double factor) {
      return Math.exp(0.5 * distance * distance / factor);
    }
  };

  /// What of it depends on no document.
  abstract double factor(double scale, double decay);

  /// @param factor what [#factor] gave
  abstract double at(double distance, double factor);
}
