/// The actions of the page, under the names that it sends; the server does the first ones, the pipeline the others.
package enum StudioAction: String, CaseIterable, Sendable {
    case loadPreset = "load-preset"
    case savePreset = "save-preset"
    case removePreset = "remove-preset"
    case removeBackground = "remove-background"
    case chooseVideo = "choose-video"
    case closePhoto = "close-photo"

    case startLive = "start-live"
    case cameraOff = "camera-off"
    case cameraOn = "camera-on"
    case chooseClip = "choose-clip"
    case chooseCamera = "choose-camera"
    case chooseSize = "choose-size"
    case chooseMicrophone = "choose-microphone"
    case showRecording = "show-recording"

    case startCamera = "start-camera"
    case stopCamera = "stop-camera"
    case startRecording = "start-recording"
    case stopRecording = "stop-recording"
}
