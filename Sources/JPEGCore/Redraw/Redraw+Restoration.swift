extension Redraw {
  /// Returns the original's untransformed coefficients, bit for bit; the whole original must have been re-encoded.
  ///
  /// Not every case of exceptions that belong to another image can be detected.
  package func restored(
    _ reencoded: borrowing SparseImage,
    _ exceptions: RedrawExceptions
  ) throws(RedrawExceptions.Failure) -> SparseImage {
    SparseImage(
      try restored(reencoded, exceptions, SparseForm()),
      CoefficientImage.planes(of: frame)
    )
  }

  /// Returns the original's untransformed coefficients, already coded.
  package func restored(
    _ reencoded: borrowing SparseImage,
    _ exceptions: RedrawExceptions,
    codes: [ComponentCodes]
  ) throws(RedrawExceptions.Failure) -> CodedImage {
    let form = CodedForm(codes, copied: codes.map { _ in nil })
    return CodedImage(
      try restored(reencoded, exceptions, form),
      CoefficientImage.planes(of: frame)
    )
  }

  private func restored<Form: BlockForm>(
    _ reencoded: borrowing SparseImage,
    _ exceptions: RedrawExceptions,
    _ form: Form
  ) throws(RedrawExceptions.Failure) -> [BlockStore<Form>] {
    requirePlanes(of: reencoded.planes, resultFrame)
    requireWhole()
    guard exceptions.codes.count == components.count else { throw .otherImage }
    var restorations: [ComponentRestoration<Form>] = []
    for (index, component) in components.enumerated() {
      let store = ComponentStore(
        form,
        component: index,
        component.original,
        columns: component.geometry.x.blocks,
        of: reencoded
      )
      restorations.append(ComponentRestoration(component, into: store, exceptions.codes[index]))
    }
    let rowsOfMCUs = components.indices.map { index in
      components[index].geometry.y.resultBlocks.dividedUp(by: rows(component: index))
    }
    for row in 0..<(rowsOfMCUs.max() ?? 0) {
      if WorkLimit.reached != nil { break }
      ConcurrentWork.perform(restorations.count) { index in
        restorations[index].advance(reencoded, to: rows(component: index) * (row + 1))
      }
    }
    guard restorations.reduce(0, { $0 + $1.count }) == exceptions.count else {
      throw .otherImage
    }
    return restorations.map { $0.store.blocks }
  }
}
