enum Usage {
    static func text(isPhoto: Bool) -> String { isPhoto ? photo : video }

    private static let video = """
        usage: replace-background IN OUT [options]
               replace-background IN... DIR [options]

        Puts something else behind the people of a film. IN is whatever GStreamer reads; OUT ends in
        .mp4, .mov, .mkv (H.264) or .webm (VP9), and in .mov (ProRes 4444) with --transparent. Sound passes through untouched where OUT's kind of file
        can hold it. With DIR, each film keeps its name (.mp4 when it is none of these kinds), those that
        are already there are skipped, and one that fails does not stop the others.

        \(backgrounds)
          --quality Q       fast, balanced (the default) or accurate
        \(common)
        """

    private static let photo = """
        usage: photo IN OUT [options]
               photo IN... DIR [options]

        Puts something else behind the people of a picture. IN is whatever GStreamer decodes; OUT ends in
        .png or .jpg, has 8 bits and stands upright. With DIR, each picture keeps its name (.png when it
        is none of these kinds), those that are already there are skipped, and one that fails does not
        stop the others.

        \(backgrounds)
          --quality Q       fast, balanced or accurate (the default)
        \(common)
        """

    private static let backgrounds = """
          --background F    a picture or a clip, by path or URI; a clip plays over and over
          --blur N          the film's own background, blurred: 0 to 100
          --color RRGGBB    a colour; black unless one of these is given
          --transparent     nothing: OUT has alpha, and is a .mov film or a .png picture
        """

    private static let common = """
          --force           write over files that are there
          --quiet           print errors only
          --json            print one JSON object per line: started, progress, finished, skipped, failed,
                            summary

        OUT appears when it is whole; until then it is OUT.part.

        exit status: 0 all done, 1 failed for another reason or some of several files failed, 2 wrong
        usage, 3 IN cannot be read, 4 OUT cannot be written, 5 something is not installed (the message
        tells what to do), 129, 130 or 143 ended by SIGHUP, SIGINT (Control-C) or SIGTERM.
        """
}
