#if Server
public import ArgumentParser
public import UprightServer

extension HostName: @retroactive ExpressibleByArgument {
  /// Creates a host name from a name or an IP address.
  public init?(argument: String) { self.init(argument) }
}
#endif
