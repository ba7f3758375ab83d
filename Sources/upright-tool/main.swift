import Commands

UprightCommand.runProcess()
