import CommandKit
import FileNames
import Glibc

// Threads inherit the blocked signals, so they are blocked before GStreamer starts any thread.
Signals.block()
let tool = Tool(
    name: "gst-people", version: version,
    summary: "people analysis and background replacement for videos, photos and cameras",
    commands: [
        VideoCommand.self, FarmCommand.self, PhotoCommand.self, FacesCommand.self, BodiesCommand.self,
        HandsCommand.self, PeopleCommand.self, BestShotCommand.self, LiftCommand.self,
        StudioCommand.self, WebcamCommand.self, VirtualCameraCommand.self, ControlCommand.self,
        OverLiveCommand.self,
    ],
    elsewhere: EffectOption.described)
exit(tool.run(commandLineWords))
