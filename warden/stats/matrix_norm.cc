#include "warden/stats/matrix_norm.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "warden/stats/element.h"

namespace warden::stats {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Up to this many rows or columns the smaller Gram matrix is formed and decomposed: exact, and
// cheaper than iterating. Beyond it both would grow with the square and the cube of the number.
constexpr Index kMaxGram = 64;
// Lanczos finds the largest eigenvalue of a Gram matrix to the accuracy below in some twenty to a
// hundred rounds, each of them two sweeps over the elements, even for dense clusters of
// eigenvalues.
constexpr Index kMaxRounds = 128;
// The eigenvalue is then off by the square of this, divided by its relative distance from the next.
constexpr double kResidual = 1e-8;

// A matrix that is read where it lies, row by row, as doubles times a scale.
class RowReader {
 public:
  RowReader(const TensorRef& matrix, double scale, bool abs)
      : matrix_(matrix), scale_(scale), abs_(abs), row_(matrix.shape[1]) {}

  Index rows() const { return matrix_.shape[0]; }
  Index cols() const { return matrix_.shape[1]; }

  const VectorXd& Row(Index row) {
    const auto* data = static_cast<const std::byte*>(matrix_.data);
    const auto size = static_cast<size_t>(cols());
    // The caller of the norm knows that the type is real: reading cannot fail.
    (void)VisitReal(matrix_.dtype, [&]<class T>() {
      Widen<T>(data, static_cast<size_t>(row) * size, size, row_.data());
    });
    row_ *= scale_;
    if (abs_) row_ = row_.cwiseAbs();
    return row_;
  }

 private:
  TensorRef matrix_;
  double scale_;
  bool abs_;
  VectorXd row_;
};

// The smaller of A A^T and A^T A.
MatrixXd Gram(RowReader* a) {
  if (a->cols() <= a->rows()) {
    MatrixXd gram = MatrixXd::Zero(a->cols(), a->cols());
    for (Index r = 0; r < a->rows(); ++r) {
      gram.selfadjointView<Eigen::Lower>().rankUpdate(a->Row(r));
    }
    return gram;
  }
  MatrixXd rows(a->cols(), a->rows());
  for (Index r = 0; r < a->rows(); ++r) rows.col(r) = a->Row(r);
  return rows.transpose() * rows;
}

// The smaller Gram matrix times x, without forming it.
VectorXd ApplyGram(RowReader* a, const VectorXd& x) {
  const bool tall = a->cols() <= a->rows();
  if (tall) {
    VectorXd product = VectorXd::Zero(a->cols());
    for (Index r = 0; r < a->rows(); ++r) {
      const VectorXd& row = a->Row(r);
      product += row.dot(x) * row;
    }
    return product;
  }
  VectorXd combined = VectorXd::Zero(a->cols());
  for (Index r = 0; r < a->rows(); ++r) combined += x[r] * a->Row(r);
  VectorXd product(a->rows());
  for (Index r = 0; r < a->rows(); ++r) product[r] = a->Row(r).dot(combined);
  return product;
}

// Always the same one, so that the same matrix gives the same bits.
VectorXd StartVector(Index size) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0.5, 1);
  VectorXd start(size);
  for (double& x : start) x = uniform(random);
  return start.normalized();
}

double LargestByLanczos(RowReader* a) {
  const Index size = std::min(a->rows(), a->cols());
  const Index max_rounds = std::min(size, kMaxRounds);
  MatrixXd basis(size, max_rounds);
  VectorXd diagonal(max_rounds), off_diagonal(max_rounds);
  VectorXd next = StartVector(size);
  double largest = 0;
  for (Index k = 0; k < max_rounds; ++k) {
    basis.col(k) = next;
    next = ApplyGram(a, basis.col(k));
    diagonal[k] = basis.col(k).dot(next);
    // Twice, against the whole basis: rounding would otherwise bring found directions back.
    for (int pass = 0; pass < 2; ++pass) {
      next -= basis.leftCols(k + 1) * (basis.leftCols(k + 1).transpose() * next);
    }
    off_diagonal[k] = next.norm();
    Eigen::SelfAdjointEigenSolver<MatrixXd> solver;
    solver.computeFromTridiagonal(diagonal.head(k + 1), off_diagonal.head(k));
    largest = solver.eigenvalues()[k];
    const double residual = off_diagonal[k] * std::abs(solver.eigenvectors()(k, k));
    if (residual <= kResidual * largest) break;
    next /= off_diagonal[k];
  }
  return largest;
}

double LargestEigenvalue(RowReader* a) {
  if (std::min(a->rows(), a->cols()) > kMaxGram) return LargestByLanczos(a);
  Eigen::SelfAdjointEigenSolver<MatrixXd> solver(Gram(a), Eigen::EigenvaluesOnly);
  return solver.eigenvalues().maxCoeff();
}

}  // namespace

double LargestColumnSum(const TensorRef& matrix) {
  RowReader reader(matrix, 1, true);
  VectorXd sums = VectorXd::Zero(reader.cols());
  for (Index r = 0; r < reader.rows(); ++r) sums += reader.Row(r);
  return sums.maxCoeff<Eigen::PropagateNaN>();
}

double SpectralNorm(const TensorRef& matrix, const Summary& summary, bool abs) {
  if (summary.finite_count() != summary.count) return std::numeric_limits<double>::quiet_NaN();
  if (summary.abs_max == 0) return 0;
  // Brings the largest element to about 1, so that no square over- or underflows.
  const int exponent = std::max(std::ilogb(summary.abs_max), -1022);
  RowReader reader(matrix, std::scalbn(1.0, -exponent), abs);
  return std::scalbn(std::sqrt(std::max(0.0, LargestEigenvalue(&reader))), exponent);
}

}  // namespace warden::stats
