import ArgumentParser
import Commands

UprightCommand.main()
