extension Remedy {
  static func unaligned(_ value: Options.UnalignedPolicy, _ text: String) -> Remedy {
    Remedy(.policy("unaligned", value.rawValue), text)
  }

  static func onConflict(_ value: Options.ConflictPolicy, _ text: String) -> Remedy {
    Remedy(.policy("on-conflict", value.rawValue), text)
  }

  static func registeredData(_ value: Options.RegisteredDataPolicy, _ text: String) -> Remedy {
    Remedy(.policy("registered-data", value.rawValue), text)
  }

  static func contentCredentials(_ value: Options.CredentialPolicy, _ text: String) -> Remedy {
    Remedy(.policy("content-credentials", value.rawValue), text)
  }
}
