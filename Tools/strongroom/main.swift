import StrongroomCommand

EntryPoint.run()
