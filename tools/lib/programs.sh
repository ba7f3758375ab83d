# How programs that are installed are compiled. Sourced from the folder of the repository.

# The compiler finds the conformances of generic arguments. Otherwise the runtime does, by the names of types, and each time reads all
# conformances of the program: a quarter of the instructions for a small photo.
compile=(--static-swift-stdlib -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors)
