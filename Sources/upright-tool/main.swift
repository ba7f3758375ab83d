import ArgumentParser
import Commands

UprightCommand.main(ArgumentPath.arguments)
