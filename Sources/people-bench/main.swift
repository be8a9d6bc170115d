print("people-bench")
