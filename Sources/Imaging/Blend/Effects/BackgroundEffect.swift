/// One thing that is done to the background.
public enum BackgroundEffect: Sendable, Equatable {
    /// Out of focus.
    case blur(Blur)
    /// Brighter or darker, and less coloured.
    case highlight(Highlight)
    /// The subject's shadow.
    case shadow(Shadow)
    /// A coloured outline around the subject.
    case halo(Halo)

    /// False when the effect is too weak to change any frame.
    var isVisible: Bool {
        switch self {
        case .blur(let blur): blur.radius > 0
        case .highlight(let highlight): abs(highlight.exposure) > 0 || highlight.desaturation > 0
        case .shadow(let shadow): shadow.opacity > 0
        case .halo(let halo): halo.width > 0
        }
    }
}

/// At most one effect of each kind, which is visible.
struct VisibleEffects {
    private(set) var blur: Blur?
    private(set) var highlight: Highlight?
    private(set) var shadow: Shadow?
    private(set) var halo: Halo?

    /// The last of each kind.
    init(_ effects: [BackgroundEffect]) {
        for effect in effects where effect.isVisible {
            switch effect {
            case .blur(let last): blur = last
            case .highlight(let last): highlight = last
            case .shadow(let last): shadow = last
            case .halo(let last): halo = last
            }
        }
    }
}
